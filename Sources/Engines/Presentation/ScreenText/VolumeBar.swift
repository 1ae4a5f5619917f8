// SPDX-License-Identifier: Apache-2.0

public struct VolumeBar: Hashable, Sendable {
    /// 0...100.
    public var level: Int
    public var isMuted: Bool

    public init(level: Int, isMuted: Bool) {
        self.level = level
        self.isMuted = isMuted
    }
}
