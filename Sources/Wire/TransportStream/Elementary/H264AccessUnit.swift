// SPDX-License-Identifier: Apache-2.0
import Bytes

/// Properties of a coded picture that its NAL units show without decoding.
public struct H264AccessUnit: Sendable, Equatable {
    public private(set) var hasDelimiter = false
    public private(set) var hasSPS = false
    public private(set) var hasPPS = false
    public private(set) var containsIDR = false
    public private(set) var sliceCount = 0
    /// Whether every slice header is readable and its slice_type is I or SI.
    public private(set) var isIntra = false
    /// recovery_frame_cnt of a recovery point SEI message: number of frames until the output is correct; nil without
    /// such a message.
    public private(set) var recoveryFrameCount: Int?

    /// Whether a decoder that begins here shows this picture correctly. That is an IDR picture, an intra picture whose
    /// recovery point is itself, or an intra picture with a sequence parameter set and without a recovery point
    /// message.
    public var isRandomAccess: Bool { containsIDR || isIntra && recoveryFrameCount ?? (hasSPS ? 0 : 1) == 0 }

    /// Number of pictures after which the output of a decoder that begins here is correct; nil if it cannot begin.
    public var recovery: Int? { isRandomAccess ? 0 : recoveryFrameCount }

    /// - Parameter bytes: the NAL units of one picture, in annex B form.
    public static func inspect(_ bytes: UnsafeRawBufferPointer) -> H264AccessUnit {
        var result = H264AccessUnit()
        for unit in NALUnits(bytes) {
            let content = unit.range.dropFirst()
            switch unit.type {
            case NALUnit.Kind.slice, NALUnit.Kind.partitionA, NALUnit.Kind.idrSlice:
                let isIntra = isIntraSlice(bytes, in: content)
                result.isIntra = isIntra && (result.isIntra || result.sliceCount == 0)
                result.sliceCount += 1
                if unit.type == NALUnit.Kind.idrSlice { result.containsIDR = true }
            case NALUnit.Kind.sei where result.recoveryFrameCount == nil:
                // A message that cannot be read counts as none.
                result.recoveryFrameCount = (try? recoveryFrameCount(bytes, in: content)) ?? nil
            case NALUnit.Kind.sequenceParameters: result.hasSPS = true
            case NALUnit.Kind.pictureParameters: result.hasPPS = true
            case NALUnit.Kind.delimiter: result.hasDelimiter = true
            default: break
            }
        }
        return result
    }

    /// Whether the slice_type is I or SI: 2, 4, 7 or 9.
    private static func isIntraSlice(_ bytes: UnsafeRawBufferPointer, in range: Range<Int>) -> Bool {
        var reader = RBSPReader(bytes, in: range)
        // A decoder cannot begin with a slice header that cannot be read.
        guard (try? reader.unsigned()) != nil, let type = try? reader.unsigned() else { return false }
        return type == 2 || type == 4 || type == 7 || type == 9
    }

    private static func recoveryFrameCount(
        _ bytes: UnsafeRawBufferPointer, in range: Range<Int>
    ) throws(WireError) -> Int? {
        var reader = try RecoveryPoint.reader(bytes, in: range)
        return try reader?.unsigned("recovery_frame_cnt", limit: 65535)
    }
}
