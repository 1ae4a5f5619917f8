// SPDX-License-Identifier: Apache-2.0
import Bytes

/// What the NAL units of one coded picture show without decoding it.
public struct H264AccessUnit: Sendable, Equatable {
    public private(set) var hasDelimiter = false
    public private(set) var hasSPS = false
    public private(set) var hasPPS = false
    public private(set) var containsIDR = false
    public private(set) var sliceCount = 0
    /// Whether each slice header was readable and says I (or SI).
    public private(set) var isIntra = false
    /// recovery_frame_cnt of a recovery point message: pictures till all is right.
    public private(set) var recoveryFrameCount: Int?

    /// A decoder that begins here shows this picture right: an IDR, or an intra picture that says it recovers at once, or
    /// that has its parameters with it and says nothing.
    public var isRandomAccess: Bool { containsIDR || isIntra && recoveryFrameCount ?? (hasSPS ? 0 : 1) == 0 }

    /// - Parameter bytes: the units of one picture, in annex B form.
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
                // A message we cannot read tells us nothing, and that is what nil says.
                result.recoveryFrameCount = (try? recoveryPoint(bytes, in: content)) ?? nil
            case NALUnit.Kind.sequenceParameters: result.hasSPS = true
            case NALUnit.Kind.pictureParameters: result.hasPPS = true
            case NALUnit.Kind.delimiter: result.hasDelimiter = true
            default: break
            }
        }
        return result
    }

    /// slice_type 2, 4, 7 and 9 are I and SI.
    private static func isIntraSlice(_ bytes: UnsafeRawBufferPointer, in range: Range<Int>) -> Bool {
        var reader = RBSPReader(bytes, in: range)
        // An unreadable slice header is not one to begin with.
        guard (try? reader.unsigned()) != nil, let type = try? reader.unsigned() else { return false }
        return type == 2 || type == 4 || type == 7 || type == 9
    }

    /// Looks for payload type 6 in the messages of one SEI unit (D.1.8).
    private static func recoveryPoint(_ bytes: UnsafeRawBufferPointer, in range: Range<Int>) throws(WireError) -> Int? {
        var reader = RBSPReader(bytes, in: range)
        while reader.offset + 1 < range.upperBound {
            let type = try messageNumber(from: &reader)
            let size = try messageNumber(from: &reader)
            if type == 6 { return try reader.unsigned("recovery_frame_cnt", limit: 65535) }
            try reader.skip(size * 8)
        }
        return nil
    }

    /// 0xFF octets and a last one, added up; bounded by the unit's length.
    private static func messageNumber(from reader: inout RBSPReader) throws(WireError) -> Int {
        var total = 0
        while true {
            let octet = Int(try reader.bits(8))
            total += octet
            if octet != 0xFF { return total }
        }
    }
}
