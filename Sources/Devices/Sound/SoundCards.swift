// SPDX-License-Identifier: Apache-2.0

/// Watches the machine's cards and what is connected to them.
public struct SoundCards {
    private let device: String
    private let read: () -> SoundListing
    private var before: SoundListing

    /// - Parameters:
    ///   - device: as `ALSASound` takes it.
    ///   - read: what is there now.
    public init(for device: String, _ read: @escaping () -> SoundListing = SoundListing.current) {
        self.device = device
        self.read = read
        before = read()
    }

    /// - Returns: nil when nothing has changed since the last call; else the names of the PCM that would be the best
    ///   one to play to now, none when there is no choice.
    public mutating func change() -> [String]? {
        let now = read()
        guard now != before else { return nil }
        before = now
        return device == SoundDevice.automatic ? SoundDevice.choices(from: now).first?.names ?? [] : []
    }
}
