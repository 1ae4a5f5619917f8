// SPDX-License-Identifier: Apache-2.0

/// What is known of one unit of an elementary stream beside its bytes.
@frozen
public struct PESUnit: Sendable, Equatable {
    public var streamID: UInt8
    /// Ticks of 90 kHz modulo 2^33; nil when not sent, and for all but the first of the units that begin in one PES packet.
    public var pts: UInt64?
    /// Decoding time; nil when it equals `pts`, or pretends to be after it.
    public var dts: UInt64?
    public var isDataAligned: Bool
    /// A decoder can begin here. From the multiplexer's flag alone, or, from `TSDemultiplexer`, what the bytes show.
    public var isRandomAccess: Bool
    /// Packets are missing inside, or the unit ended before its announced length.
    public var isDamaged: Bool
    /// The multiplexer announced that its time base jumps with this unit.
    public var isDiscontinuity: Bool
    /// What `TSDemultiplexer.mark` was when the unit began.
    public var mark: UInt64

    public init(
        streamID: UInt8, pts: UInt64? = nil, dts: UInt64? = nil, isDataAligned: Bool = false,
        isRandomAccess: Bool = false, isDamaged: Bool = false, isDiscontinuity: Bool = false, mark: UInt64 = 0
    ) {
        self.streamID = streamID
        self.pts = pts
        self.dts = dts
        self.isDataAligned = isDataAligned
        self.isRandomAccess = isRandomAccess
        self.isDamaged = isDamaged
        self.isDiscontinuity = isDiscontinuity
        self.mark = mark
    }

    init(_ header: PESHeader, isDiscontinuity: Bool) {
        self.init(
            streamID: header.streamID, pts: header.pts, dts: header.isDisordered ? nil : header.dts,
            isDataAligned: header.isDataAligned, isDiscontinuity: isDiscontinuity)
    }
}
