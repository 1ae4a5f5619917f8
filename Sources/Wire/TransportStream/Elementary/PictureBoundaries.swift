// SPDX-License-Identifier: Apache-2.0

/// Decides at which start codes of an elementary stream coded pictures begin. It is given one start code after the
/// other.
///
/// - H.264 (7.4.1.2.3): if a picture began with an access unit delimiter, the next one begins with one too, so that a
///   second field stays with its first. Otherwise a picture begins at the first unit after a slice that can only
///   precede slices, or at a slice with macroblock 0.
/// - HEVC (7.4.2.4.4): a picture begins at the first unit after a slice segment that can only precede slice segments,
///   or at the first slice segment of a picture. Layers above the base layer belong to its picture.
/// - MPEG video (13818-2 6.2): a picture begins at the first header after slices. The second field of a frame, which
///   has the temporal_reference of the first, belongs to the same picture.
struct PictureBoundaries: Sendable {
    /// Octets after 00 00 01 that the decision needs.
    static let lookahead = 4

    let codec: StreamCodec
    /// Whether slices of the picture were seen, so that the next picture may begin. True at the start as well.
    private var hasSlice = true
    private var isDelimited = false
    /// temporal_reference of the current picture.
    private var reference: UInt16 = 0
    /// Whether the current picture is a single field, whose second field may follow.
    private var isField = false

    /// Whether a zero octet before 00 00 01 belongs to the start code. In MPEG video it is stuffing after the previous
    /// data.
    var hasZeroBefore: Bool { codec == .h264 || codec == .hevc }

    init(_ codec: StreamCodec) { self.codec = codec }

    /// Starts afresh, because what follows does not continue the stream.
    mutating func reset() { self = PictureBoundaries(codec) }

    /// - Parameter code: offset of 00 00 01; octets missing after it count as zeros.
    /// - Parameter isFirst: whether it is the first start code of a PES packet.
    /// - Returns: whether a picture begins at this start code.
    mutating func begins(at code: Int, in bytes: UnsafeRawBufferPointer, isFirst: Bool) -> Bool {
        let octet = { (index: Int) -> UInt8 in code + 3 + index < bytes.count ? bytes[code + 3 + index] : 0 }
        switch codec {
        case .h264: return h264Begins(octet(0), octet(1), isFirst: isFirst)
        case .hevc: return hevcBegins(octet(0), octet(1), octet(2))
        case .mpeg1Video, .mpeg2Video:
            return mpegBegins(octet(0), UInt32(octet(1)) << 16 | UInt32(octet(2)) << 8 | UInt32(octet(3)))
        default: return false
        }
    }

    private mutating func h264Begins(_ header: UInt8, _ first: UInt8, isFirst: Bool) -> Bool {
        let type = header & 0x1F
        let isSlice = type == NALUnit.Kind.slice || type == NALUnit.Kind.idrSlice || type == NALUnit.Kind.partitionA
        let isDelimiter = type == NALUnit.Kind.delimiter
        if isFirst, !isDelimiter { isDelimited = false }
        let begins: Bool
        switch type {
        case _ where !hasSlice: begins = false
        case _ where isDelimited: begins = isDelimiter
        case _ where isSlice: begins = first & 0x80 != 0  // first_mb_in_slice is ue(v): 0 is the single bit 1
        case 6...9, 14...18: begins = true
        default: begins = false
        }
        if begins || isDelimiter { isDelimited = isDelimiter }
        hasSlice = isSlice || hasSlice && !begins
        return begins
    }

    private mutating func hevcBegins(_ header: UInt8, _ second: UInt8, _ first: UInt8) -> Bool {
        let type = header >> 1 & 0x3F
        guard header & 1 == 0, second >> 3 == 0 else { return false }  // nuh_layer_id
        let isSlice = type <= NALUnit.HEVCKind.lastSlice
        let begins: Bool
        switch type {
        case _ where !hasSlice: begins = false
        case _ where isSlice: begins = first & 0x80 != 0  // first_slice_segment_in_pic_flag
        case 32...35, 39, 41...44, 48...55: begins = true
        default: begins = false
        }
        hasSlice = isSlice || hasSlice && !begins
        return begins
    }

    private mutating func mpegBegins(_ code: UInt8, _ content: UInt32) -> Bool {
        switch code {
        case MPEGStartCode.picture:
            let next = UInt16(truncatingIfNeeded: content >> 14)
            let isSecond = hasSlice && isField && next == reference
            let begins = hasSlice && !isSecond
            reference = next
            isField = false
            hasSlice = isSecond
            return begins
        case MPEGStartCode.slices: hasSlice = true
        case MPEGStartCode.sequence, MPEGStartCode.group:
            let begins = hasSlice
            hasSlice = false
            isField = false
            return begins
        case MPEGStartCode.extension where content >> 20 == MPEGStartCode.pictureCodingExtension && !hasSlice:
            isField = content & 3 == 1 || content & 3 == 2  // picture_structure
        default: break
        }
        return false
    }
}
