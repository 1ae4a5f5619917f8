// SPDX-License-Identifier: Apache-2.0
import Media
import TransportStream

extension Codec {
    /// The codec of a stream of a transport stream; nil if the box has no decoder for it.
    public init?(_ codec: StreamCodec) {
        switch codec {
        case .h264: self = .h264
        case .hevc: self = .hevc
        case .mpeg1Video, .mpeg2Video: self = .mpeg2Video
        case .fwht: self = .fwht
        case .adts: self = .aac
        case .latm: self = .aacLATM
        case .mpegAudio: self = .mpegAudio
        case .ac3: self = .ac3
        case .enhancedAC3: self = .enhancedAC3
        case .opus: self = .opus
        case .spliceInformation, .subtitles, .other: return nil
        }
    }
}

extension SentParameterSets {
    /// - Parameter picture: an access unit of this codec.
    mutating func keep(_ codec: Codec, of picture: UnsafeRawBufferPointer) {
        switch codec {
        case .h264: keep(StreamCodec.h264, of: picture)
        case .hevc: keep(StreamCodec.hevc, of: picture)
        case .mpeg2Video: keep(StreamCodec.mpeg2Video, of: picture)
        default: forget()
        }
    }
}
