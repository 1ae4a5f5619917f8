// SPDX-License-Identifier: Apache-2.0
import Bytes

/// The order of pictures by the parameters of their coding.
public enum PictureOrder {
    /// How many pictures can precede a picture in decoding order and follow it in output order.
    /// - Parameter picture: a picture as `PictureAssembler` emits it.
    /// - Returns: 0...16; nil if the picture's own parameters do not say it, or it has none.
    public static func mostReordered(_ codec: StreamCodec, of picture: UnsafeRawBufferPointer) -> Int? {
        switch codec {
        case .h264: H264SequenceParameters.mostReordered(of: picture)
        case .hevc: HEVCSequenceParameters.mostReordered(of: picture)
        case .mpeg1Video, .mpeg2Video: mostReordered(ofVideo: picture)
        default: nil
        }
    }

    /// A frame of MPEG video is displayed after at most one that follows it, and none with low_delay (ISO/IEC 13818-2
    /// 6.3.5).
    private static func mostReordered(ofVideo picture: UnsafeRawBufferPointer) -> Int? {
        var isKnown = false
        var code = StartCode.offset(in: picture, from: 0)
        while code + 9 < picture.count {
            switch picture[code + 3] {
            case MPEGStartCode.sequence: isKnown = true
            case MPEGStartCode.extension where picture[code + 4] >> 4 == MPEGStartCode.sequenceExtension:
                if picture[code + 9] & 0x80 != 0 { return 0 }
            case MPEGStartCode.picture: return isKnown ? 1 : nil
            default: break
            }
            code = StartCode.offset(in: picture, from: code + 3)
        }
        return isKnown ? 1 : nil
    }
}
