// SPDX-License-Identifier: Apache-2.0

/// What is known of one unit of an elementary stream beside its bytes.
@frozen
public struct PESUnit: Sendable, Equatable {
    public var streamID: UInt8
    /// Ticks of 90 kHz modulo 2^33; nil when not sent, and for all but the first of several units in one PES packet.
    public var pts: UInt64?
    /// Decoding time; nil when it equals `pts`.
    public var dts: UInt64?
    public var isDataAligned: Bool
    /// A decoder can begin here. From the multiplexer's flag alone, or, from `TSDemultiplexer`, what the bytes show.
    public var isRandomAccess: Bool
    /// Packets are missing inside, or the unit ended before its announced length.
    public var isDamaged: Bool
    /// The multiplexer announced that its time base jumps with this unit.
    public var isDiscontinuity: Bool

    public init(
        streamID: UInt8, pts: UInt64? = nil, dts: UInt64? = nil, isDataAligned: Bool = false,
        isRandomAccess: Bool = false,
        isDamaged: Bool = false, isDiscontinuity: Bool = false
    ) {
        self.streamID = streamID
        self.pts = pts
        self.dts = dts
        self.isDataAligned = isDataAligned
        self.isRandomAccess = isRandomAccess
        self.isDamaged = isDamaged
        self.isDiscontinuity = isDiscontinuity
    }
}
