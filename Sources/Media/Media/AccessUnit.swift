// SPDX-License-Identifier: Apache-2.0

/// The description of an access unit by a demultiplexer. The octets travel beside it.
public struct AccessUnit: Sendable, BitwiseCopyable {
    /// Presentation time stamp in unwrapped 90 kHz ticks.
    public var pts: Int64
    /// Decoding time stamp in the same ticks; equal to `pts` if the stream has none.
    public var dts: Int64
    public var isRandomAccess: Bool
    /// Whether packets of the access unit were lost.
    public var isDamaged: Bool

    public init(pts: Int64, dts: Int64, isRandomAccess: Bool, isDamaged: Bool) {
        self.pts = pts
        self.dts = dts
        self.isRandomAccess = isRandomAccess
        self.isDamaged = isDamaged
    }
}
