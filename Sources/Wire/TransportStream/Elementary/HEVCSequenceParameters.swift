// SPDX-License-Identifier: Apache-2.0
import Bytes

/// The part of a sequence parameter set (ISO/IEC 23008-2 7.3.2.2) that concerns the order of pictures.
public struct HEVCSequenceParameters: Sendable, Equatable {
    /// Octets of a NAL unit's header.
    private static let headerOctets = 2

    /// sps_max_num_reorder_pics of the highest sub-layer, 0...15: how many pictures can precede a picture in decoding
    /// order and follow it in output order.
    public let mostReordered: Int

    /// - Parameter range: one NAL unit, including its header.
    public init(_ bytes: UnsafeRawBufferPointer, in range: Range<Int>) throws(WireError) {
        var reader = RBSPReader(bytes, in: range.dropFirst(Self.headerOctets))
        try reader.skip(4)
        let layers = Int(try reader.bits(3))  // sps_max_sub_layers_minus1
        guard layers < 7 else { throw WireError(.invalid("sps_max_sub_layers_minus1", 7), at: reader.offset) }
        try reader.skip(1)
        try Self.skipProfiles(&reader, layers: layers)
        _ = try reader.unsigned()  // sps_seq_parameter_set_id
        if try reader.unsigned("chroma_format_idc", limit: 3) == 3 { try reader.skip(1) }
        _ = try reader.unsigned()  // pic_width_in_luma_samples
        _ = try reader.unsigned()
        if try reader.bit() {  // conformance_window_flag
            for _ in 0..<4 { _ = try reader.unsigned() }
        }
        _ = try reader.unsigned()  // bit_depth_luma_minus8
        _ = try reader.unsigned()
        _ = try reader.unsigned()  // log2_max_pic_order_cnt_lsb_minus4
        let isEach = try reader.bit()  // sps_sub_layer_ordering_info_present_flag
        var reordered = 0
        for _ in 0...(isEach ? layers : 0) {
            _ = try reader.unsigned()  // sps_max_dec_pic_buffering_minus1
            reordered = try reader.unsigned("sps_max_num_reorder_pics", limit: 15)
            _ = try reader.unsigned()
        }
        mostReordered = reordered
    }

    /// The value of the first sequence parameter set of a picture; nil if there is none or it cannot be read.
    public static func mostReordered(of picture: UnsafeRawBufferPointer) -> Int? {
        for unit in NALUnits(picture) {
            if unit.hevcType <= NALUnit.HEVCKind.lastSlice { return nil }
            guard unit.hevcType == NALUnit.HEVCKind.sequenceParameters, unit.header & 1 == 0 else { continue }
            // An unreadable set counts as none; the decoder reports the error.
            return (try? HEVCSequenceParameters(picture, in: unit.range))?.mostReordered
        }
        return nil
    }

    /// Skips profile_tier_level (7.3.3).
    private static func skipProfiles(_ reader: inout RBSPReader, layers: Int) throws(WireError) {
        let (profile, level) = (88, 8)
        try reader.skip(profile + level)
        guard layers > 0 else { return }
        var rest = 0
        for _ in 0..<layers {
            if try reader.bit() { rest += profile }
            if try reader.bit() { rest += level }
        }
        try reader.skip(2 * (8 - layers) + rest)
    }
}
