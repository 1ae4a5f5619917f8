// SPDX-License-Identifier: Apache-2.0

/// Tells at which start codes of an elementary stream coded pictures begin, one start code after the other.
///
/// - H.264 (7.4.1.2.3): where a picture began with an access unit delimiter, the next one does, so that a second field
///   stays with its first; else the first unit behind a slice that can only stand before slices, or a slice of
///   macroblock 0.
/// - HEVC (7.4.2.4.4): the first unit behind a slice segment that can only stand before them, or the first slice segment
///   of a picture. Layers above the base belong to its picture.
/// - MPEG video (13818-2 6.2): the first header behind slices; the second field of a frame, which has the
///   temporal_reference of the first, belongs to it.
struct PictureBoundaries: Sendable {
    /// Octets behind 00 00 01 that a verdict needs.
    static let lookahead = 4

    let codec: StreamCodec
    /// Slices of the picture were seen, so what follows may be the next one. So, too, where nothing was seen yet.
    private var hasSlice = true
    private var isDelimited = false
    /// temporal_reference of the picture begun.
    private var reference: UInt16 = 0
    /// It is one field, whose second one may follow.
    private var isField = false

    /// Whether a zero octet before 00 00 01 belongs to it: in MPEG video it is stuffing of what comes before.
    var hasZeroBefore: Bool { codec == .h264 || codec == .hevc }

    init(_ codec: StreamCodec) { self.codec = codec }

    /// What follows has nothing to do with what was.
    mutating func reset() { self = PictureBoundaries(codec) }

    /// - Parameter code: place of 00 00 01; what is not there behind it counts as zeros.
    /// - Parameter isFirst: the first of a PES packet.
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
