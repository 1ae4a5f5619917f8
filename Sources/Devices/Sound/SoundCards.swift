// SPDX-License-Identifier: Apache-2.0

/// Watches the machine's sound cards and the displays connected to them.
public struct SoundCards {
    private let device: String
    private let read: () -> SoundListing
    private var before: SoundListing

    /// - Parameters:
    ///   - device: a device name as for `ALSASound`.
    ///   - read: lists the cards present now.
    public init(for device: String, _ read: @escaping () -> SoundListing = SoundListing.current) {
        self.device = device
        self.read = read
        before = read()
    }

    /// - Returns: nil if nothing has changed since the last call; otherwise the PCM names of the device to prefer now,
    ///   or an empty list if the device is not chosen automatically.
    public mutating func change() -> [String]? {
        let now = read()
        guard now != before else { return nil }
        before = now
        return device == SoundDevice.automatic ? SoundDevice.choices(from: now).first?.names ?? [] : []
    }
}
