// SPDX-License-Identifier: Apache-2.0

/// Volume and muting of a session in the mix, or of the mix itself.
public struct RegionSound: Hashable, Sendable {
    /// Volume, 0...100; see `Mixer.setVolume`.
    public var level: Int
    public var isMuted: Bool

    public init(level: Int = 100, isMuted: Bool = false) {
        self.level = level
        self.isMuted = isMuted
    }
}
