// SPDX-License-Identifier: Apache-2.0

/// Of what is touched on a card, as it was before.
struct SavedState {
    private var values: [UInt32: [KMSProperty: UInt64]] = [:]
    private var modes: [UInt32: [UInt8]] = [:]

    var isEmpty: Bool { values.isEmpty }

    /// Before it is touched for the first time.
    mutating func note(_ object: UInt32, on device: any KMSDevice) {
        guard values[object] == nil else { return }
        let found = device.values(of: object)
        values[object] = DisplayPipeline.restorable(found)
        if let blob = found[.mode], blob != 0 { modes[object] = device.readBlob(UInt32(truncatingIfNeeded: blob)) }
    }

    /// - Parameter commit: all of it at once.
    func restore(
        on device: any KMSDevice, commit: ([KMSSetting]) throws(DisplayError) -> Void
    ) throws(DisplayError) {
        var settings: [KMSSetting] = []
        var blobs: [UInt32] = []
        defer { for blob in blobs { device.destroyBlob(blob) } }
        for (object, found) in values {
            for (property, value) in found where property != .mode {
                settings.append(KMSSetting(object, property, value))
            }
            guard found[.mode] != nil else { continue }
            var blob: UInt32 = 0
            if let octets = modes[object] {
                blob = try device.makeBlob(octets)
                blobs.append(blob)
            }
            settings.append(KMSSetting(object, .mode, UInt64(blob)))
        }
        try commit(settings)
    }
}
