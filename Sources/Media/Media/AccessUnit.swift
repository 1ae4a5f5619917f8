// SPDX-License-Identifier: Apache-2.0

/// What a demultiplexer says of an access unit; its octets travel beside it.
public struct AccessUnit: Sendable, BitwiseCopyable {
    /// Unwrapped 90 kHz ticks.
    public var pts: Int64
    /// Equal to `pts` where the stream has none.
    public var dts: Int64
    public var isRandomAccess: Bool
    /// Packets of it were lost.
    public var isDamaged: Bool

    public init(pts: Int64, dts: Int64, isRandomAccess: Bool, isDamaged: Bool) {
        self.pts = pts
        self.dts = dts
        self.isRandomAccess = isRandomAccess
        self.isDamaged = isDamaged
    }
}
