// SPDX-License-Identifier: Apache-2.0

/// The state of a card's objects before we changed them, for restoring it.
struct SavedState {
    private var values: [UInt32: [KMSProperty: UInt64]] = [:]
    private var modes: [UInt32: [UInt8]] = [:]
    private var connectors: Set<UInt32> = []

    var isEmpty: Bool { values.isEmpty }

    /// Saves an object unless it is saved already; called before it is changed.
    mutating func save(_ object: UInt32, of device: any KMSDevice) {
        guard values[object] == nil else { return }
        let state = device.values(of: object)
        values[object] = state.filter { !Self.unrestorable.contains($0.key) }
        if let blob = state[.mode], blob != 0 { modes[object] = device.readBlob(UInt32(truncatingIfNeeded: blob)) }
    }

    /// Saves a connector, likewise.
    mutating func save(connector: UInt32, of device: any KMSDevice) {
        connectors.insert(connector)
        save(connector, of: device)
    }

    /// Forgets the connectors that the card has no more, which no commit may name. Those of a hub get new numbers each
    /// time that it is plugged in.
    mutating func keepConnectors(_ present: Set<UInt32>) {
        for gone in connectors.subtracting(present) {
            connectors.remove(gone)
            values[gone] = nil
        }
    }

    /// Properties that a later commit cannot set, or does not need to.
    private static let unrestorable: Set<KMSProperty> = [
        .linkStatus, .edid, .isNonDesktop, .kind, .inFence, .inFormats, .zpos,
    ]

    /// - Parameter commit: makes one commit of all the settings.
    func restore(
        on device: any KMSDevice, commit: ([KMSSetting]) throws(DisplayError) -> Void
    ) throws(DisplayError) {
        var settings: [KMSSetting] = []
        var blobs: [UInt32] = []
        defer { for blob in blobs { device.destroyBlob(blob) } }
        for (object, state) in values {
            for (property, value) in state where property != .mode {
                settings.append(KMSSetting(object, property, value))
            }
            guard state[.mode] != nil else { continue }
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
