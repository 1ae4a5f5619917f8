// SPDX-License-Identifier: Apache-2.0
import Bytes

/// A sequence parameter set (ISO/IEC 14496-10 7.3.2.1.1): what pictures look like before one is decoded.
public struct H264SPS: Sendable, Equatable {
    /// ITU-T H.273 code points.
    public struct Colour: Sendable, Equatable {
        public let isFullRange: Bool
        public let primaries: UInt8
        public let transfer: UInt8
        public let matrix: UInt8
    }

    /// Two ticks make a frame; `isFixed` when the encoder promises as much.
    public struct Timing: Sendable, Equatable {
        public let unitsInTick: UInt32
        public let timeScale: UInt32
        public let isFixed: Bool
    }

    public let profile: UInt8
    public let constraints: UInt8
    public let level: UInt8
    public let isInterlaced: Bool
    /// Of the picture as shown, cropping applied.
    public let width: Int
    public let height: Int
    public let sampleAspect: SampleAspect?
    public let colour: Colour?
    public let timing: Timing?

    /// Largest coded width and height: level 6.2 ends at 16880.
    static var maximumMacroblocks: UInt32 { 1055 }

    /// - Parameter range: the NAL unit, from its header octet.
    /// - Throws: `.invalid` for values that no level allows and for cropping that leaves nothing.
    public init(_ bytes: UnsafeRawBufferPointer, in range: Range<Int>) throws(WireError) {
        var reader = RBSPReader(bytes, in: range)
        let type = try reader.bits(8) & 0x1F
        guard type == NALUnit.Kind.sequenceParameters else {
            throw WireError(.invalid("nal_unit_type", UInt64(type)), at: range.lowerBound)
        }
        profile = UInt8(truncatingIfNeeded: try reader.bits(8))
        constraints = UInt8(truncatingIfNeeded: try reader.bits(8))
        level = UInt8(truncatingIfNeeded: try reader.bits(8))
        _ = try reader.unsigned("seq_parameter_set_id", limit: 31)
        let chroma = try H264SPS.chromaFormat(from: &reader, profile: profile)
        _ = try reader.unsigned("log2_max_frame_num_minus4", limit: 12)
        try H264SPS.skipPictureOrder(from: &reader)
        _ = try reader.unsigned("max_num_ref_frames", limit: 16)
        try reader.skip(1)
        let columns = try reader.unsigned("pic_width_in_mbs_minus1", limit: H264SPS.maximumMacroblocks - 1) + 1
        let rows = try reader.unsigned("pic_height_in_map_units_minus1", limit: H264SPS.maximumMacroblocks - 1) + 1
        let isFrameOnly = try reader.bit()
        isInterlaced = !isFrameOnly
        try reader.skip(isFrameOnly ? 1 : 2)
        let unit = (x: chroma == 1 || chroma == 2 ? 2 : 1, y: (chroma == 1 ? 2 : 1) * (isFrameOnly ? 1 : 2))
        let coded = (width: columns * 16, height: rows * 16 * (isFrameOnly ? 1 : 2))
        var crop = (x: 0, y: 0)
        if try reader.bit() {
            for _ in 0..<2 { crop.x += unit.x * (try reader.unsigned("frame_crop_offset", limit: 16880)) }
            for _ in 0..<2 { crop.y += unit.y * (try reader.unsigned("frame_crop_offset", limit: 16880)) }
        }
        guard crop.x < coded.width, crop.y < coded.height else {
            throw WireError(.invalid("frame_crop_offset", UInt64(max(crop.x, crop.y))), at: reader.offset)
        }
        width = coded.width - crop.x
        height = coded.height - crop.y
        guard try reader.bit() else {
            (sampleAspect, colour, timing) = (nil, nil, nil)
            return
        }
        sampleAspect = try SampleAspect(from: &reader)
        if try reader.bit() { try reader.skip(1) }
        colour = try H264SPS.colour(from: &reader)
        if try reader.bit() {
            for _ in 0..<2 { _ = try reader.unsigned("chroma_sample_loc_type", limit: 5) }
        }
        timing = try H264SPS.timing(from: &reader)
    }

    /// - Returns: chroma_format_idc, 1 where the profile knows no other.
    private static func chromaFormat(from reader: inout RBSPReader, profile: UInt8) throws(WireError) -> Int {
        switch profile {
        case 100, 110, 122, 244, 44, 83, 86, 118, 128, 138, 139, 134, 135: break
        default: return 1
        }
        let chroma = try reader.unsigned("chroma_format_idc", limit: 3)
        if chroma == 3 { try reader.skip(1) }
        _ = try reader.unsigned("bit_depth_luma_minus8", limit: 6)
        _ = try reader.unsigned("bit_depth_chroma_minus8", limit: 6)
        try reader.skip(1)
        guard try reader.bit() else { return chroma }
        for index in 0..<(chroma == 3 ? 12 : 8) where try reader.bit() {
            try skipScalingList(from: &reader, size: index < 6 ? 16 : 64)
        }
        return chroma
    }

    private static func skipScalingList(from reader: inout RBSPReader, size: Int) throws(WireError) {
        var scale: Int64 = 8
        for _ in 0..<size {
            let delta = try reader.signed()
            guard (-128...127).contains(delta) else {
                throw WireError(.invalid("delta_scale", UInt64(delta.magnitude)), at: reader.offset)
            }
            scale = (scale + delta + 256) % 256
            if scale == 0 { return }
        }
    }

    private static func skipPictureOrder(from reader: inout RBSPReader) throws(WireError) {
        switch try reader.unsigned("pic_order_cnt_type", limit: 2) {
        case 0: _ = try reader.unsigned("log2_max_pic_order_cnt_lsb_minus4", limit: 12)
        case 1:
            try reader.skip(1)
            _ = try reader.signed()
            _ = try reader.signed()
            for _ in 0..<(try reader.unsigned("num_ref_frames_in_pic_order_cnt_cycle", limit: 255)) {
                _ = try reader.signed()
            }
        default: break
        }
    }

    private static func colour(from reader: inout RBSPReader) throws(WireError) -> Colour? {
        guard try reader.bit() else { return nil }
        try reader.skip(3)
        let isFullRange = try reader.bit()
        let isDescribed = try reader.bit()
        let codes = isDescribed ? try reader.bits(24) : 0x02_02_02  // 2: unspecified
        return Colour(
            isFullRange: isFullRange, primaries: UInt8(truncatingIfNeeded: codes >> 16),
            transfer: UInt8(truncatingIfNeeded: codes >> 8), matrix: UInt8(truncatingIfNeeded: codes))
    }

    private static func timing(from reader: inout RBSPReader) throws(WireError) -> Timing? {
        guard try reader.bit() else { return nil }
        let timing = Timing(unitsInTick: try reader.bits(32), timeScale: try reader.bits(32), isFixed: try reader.bit())
        guard timing.unitsInTick > 0, timing.timeScale > 0 else {
            throw WireError(.invalid("num_units_in_tick or time_scale", 0), at: reader.offset)
        }
        return timing
    }
}
