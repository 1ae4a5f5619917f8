// SPDX-License-Identifier: Apache-2.0
import Bytes

/// The part of a sequence parameter set (ISO/IEC 14496-10 7.3.2.1.1, E.1) that concerns the order of pictures.
public struct H264SequenceParameters: Sendable, Equatable {
    /// Values of profile_idc with which the parameter set contains chroma_format_idc.
    private static let highProfiles: Set<UInt32> = [44, 83, 86, 100, 110, 118, 122, 128, 134, 135, 138, 139, 244]
    private static let baseline: UInt32 = 66

    /// max_num_reorder_frames, 0...16: how many frames can precede a frame in decoding order and follow it in output
    /// order. Nil if it is neither given nor implied.
    public let mostReordered: Int?

    /// - Parameter range: one NAL unit, including its header octet.
    public init(_ bytes: UnsafeRawBufferPointer, in range: Range<Int>) throws(WireError) {
        var reader = RBSPReader(bytes, in: range.dropFirst())
        let profile = try reader.bits(8)
        try reader.skip(16)
        _ = try reader.unsigned()
        if H264SequenceParameters.highProfiles.contains(profile) {
            try H264SequenceParameters.skipChroma(&reader)
        }
        _ = try reader.unsigned()  // log2_max_frame_num_minus4
        let order = try reader.unsigned("pic_order_cnt_type", limit: 2)
        if order == 0 {
            _ = try reader.unsigned()
        } else if order == 1 {
            try reader.skip(1)
            _ = try reader.signed()
            _ = try reader.signed()
            for _ in 0..<(try reader.unsigned("num_ref_frames_in_pic_order_cnt_cycle", limit: 255)) {
                _ = try reader.signed()
            }
        }
        _ = try reader.unsigned()  // max_num_ref_frames
        try reader.skip(1)
        _ = try reader.unsigned()  // pic_width_in_mbs_minus1
        _ = try reader.unsigned()
        if !(try reader.bit()) { try reader.skip(1) }  // frame_mbs_only_flag
        try reader.skip(1)
        if try reader.bit() {  // frame_cropping_flag
            for _ in 0..<4 { _ = try reader.unsigned() }
        }
        if try reader.bit(), let told = try H264SequenceParameters.mostReordered(vui: &reader) {
            mostReordered = told
        } else {
            mostReordered = order == 2 || profile == H264SequenceParameters.baseline ? 0 : nil
        }
    }

    /// The value of the first sequence parameter set of a picture; nil if there is none or it cannot be read.
    public static func mostReordered(of picture: UnsafeRawBufferPointer) -> Int? {
        for unit in NALUnits(picture) {
            switch unit.type {
            case NALUnit.Kind.sequenceParameters:
                // An unreadable set counts as none; the decoder reports the error.
                return (try? H264SequenceParameters(picture, in: unit.range))?.mostReordered
            case NALUnit.Kind.slice, NALUnit.Kind.partitionA, NALUnit.Kind.idrSlice: return nil
            default: continue
            }
        }
        return nil
    }

    private static func skipChroma(_ reader: inout RBSPReader) throws(WireError) {
        let format = try reader.unsigned("chroma_format_idc", limit: 3)
        if format == 3 { try reader.skip(1) }
        _ = try reader.unsigned()
        _ = try reader.unsigned()
        try reader.skip(1)
        guard try reader.bit() else { return }  // seq_scaling_matrix_present_flag
        for list in 0..<(format == 3 ? 12 : 8) where try reader.bit() {
            try skipScalingList(of: list < 6 ? 16 : 64, &reader)
        }
    }

    private static func skipScalingList(of size: Int, _ reader: inout RBSPReader) throws(WireError) {
        var (last, next): (Int64, Int64) = (8, 8)
        for _ in 0..<size {
            if next != 0 { next = (last + (try reader.signed())) & 0xFF }
            if next != 0 { last = next }
        }
    }

    private static func mostReordered(vui reader: inout RBSPReader) throws(WireError) -> Int? {
        if try reader.bit(), try reader.bits(8) == 255 { try reader.skip(32) }  // aspect_ratio_idc: Extended_SAR
        if try reader.bit() { try reader.skip(1) }  // overscan
        if try reader.bit() {  // video_signal_type_present_flag
            try reader.skip(4)
            if try reader.bit() { try reader.skip(24) }
        }
        if try reader.bit() {  // chroma_loc_info_present_flag
            _ = try reader.unsigned()
            _ = try reader.unsigned()
        }
        if try reader.bit() { try reader.skip(65) }  // timing_info_present_flag
        let hasNALRates = try reader.bit()
        if hasNALRates { try skipRates(&reader) }
        let hasVCLRates = try reader.bit()
        if hasVCLRates { try skipRates(&reader) }
        if hasNALRates || hasVCLRates { try reader.skip(1) }
        try reader.skip(1)
        guard try reader.bit() else { return nil }  // bitstream_restriction_flag
        try reader.skip(1)
        for _ in 0..<4 { _ = try reader.unsigned() }
        return try reader.unsigned("max_num_reorder_frames", limit: 16)
    }

    /// Skips hrd_parameters (E.1.2).
    private static func skipRates(_ reader: inout RBSPReader) throws(WireError) {
        let count = try reader.unsigned("cpb_cnt_minus1", limit: 31) + 1
        try reader.skip(8)
        for _ in 0..<count {
            _ = try reader.unsigned()
            _ = try reader.unsigned()
            try reader.skip(1)
        }
        try reader.skip(20)
    }
}
