// SPDX-License-Identifier: Apache-2.0

/// The description of one unit of an elementary stream. The octets travel beside it.
@frozen
public struct PESUnit: Sendable, Equatable {
    public var streamID: UInt8
    /// Presentation time stamp in ticks of 90 kHz, modulo 2^33. Nil if not sent, and for all but the first of the units
    /// that begin in one PES packet.
    public var pts: UInt64?
    /// Decoding time stamp; nil if it equals `pts` or is invalid because it is after `pts`.
    public var dts: UInt64?
    public var isDataAligned: Bool
    /// Whether a decoder can begin here. For pictures `TSDemultiplexer` determines it from the coded data, otherwise it
    /// is the multiplexer's random_access_indicator.
    public var isRandomAccess: Bool
    /// Number of pictures after which the output of a decoder that begins here is correct; 0 at a random-access point, nil
    /// if it cannot begin here.
    public var recovery: Int?
    /// Whether the parameter sets have come without which no picture can be decoded.
    public var hasParameterSets = true
    /// Whether all of them are in this unit.
    public var bringsParameterSets = true
    /// Whether nothing of its stream came for a while behind it, as in a slide show.
    public var isAlone = false
    /// Whether packets are missing inside. Also whether a unit that cannot be decoded in part ended before its announced
    /// length.
    public var isDamaged: Bool
    /// Whether the multiplexer announced a jump of its time base at this unit (discontinuity_indicator).
    public var isDiscontinuity: Bool
    /// Value of `TSDemultiplexer.mark` when the unit began.
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
