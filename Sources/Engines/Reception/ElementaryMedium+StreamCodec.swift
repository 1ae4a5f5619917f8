// SPDX-License-Identifier: Apache-2.0
import TransportStream
import Venue

extension ElementaryMedium.Coding {
    /// The codec as which the medium is written into a transport stream.
    var codec: StreamCodec {
        switch self {
        case .h264: .h264
        case .hevc: .hevc
        case .mpegVideo: .mpeg2Video  // ISO/IEC 13818-1 lists MPEG-1 video likewise
        case .aac: .adts
        case .latm: .latm
        case .mpegAudio: .mpegAudio
        case .ac3: .ac3
        case .opus: .opus
        }
    }
}
