// SPDX-License-Identifier: Apache-2.0
internal import CLibAVCodec
import Media

/// What video is coded with, as decoders of any kind are asked for it.
public enum VideoCoding: String, Sendable, Hashable, CaseIterable {
    case h264, hevc, mpeg2Video, vp8, vp9
    /// The kernel's own test codec.
    case fwht

    /// Nil for what no device decodes.
    public init?(_ codec: Codec) {
        switch codec {
        case .h264: self = .h264
        case .hevc: self = .hevc
        case .mpeg2Video: self = .mpeg2Video
        case .fwht: self = .fwht
        default: return nil
        }
    }

    /// Whether a stream that the box plays is coded so.
    public var isPlayed: Bool { Codec(self) != nil }

    /// - Parameter format: of a coded queue, stateful or stateless; nil for what we do not know.
    public init?(_ format: FourCC) {
        guard let found = Self.allCases.first(where: { $0.stateful == format || $0.stateless == format }) else {
            return nil
        }
        self = found
    }

    /// The stream as it is, which a stateful decoder takes.
    public var stateful: FourCC {
        switch self {
        case .h264: FourCC("H264")
        case .hevc: FourCC("HEVC")
        case .mpeg2Video: FourCC("MPG2")
        case .vp8: FourCC("VP80")
        case .vp9: FourCC("VP90")
        case .fwht: .fwht
        }
    }

    /// Pictures taken apart by whoever asks, with their parameters beside them (the request API).
    public var stateless: FourCC {
        switch self {
        case .h264: FourCC("S264")
        case .hevc: FourCC("S265")
        case .mpeg2Video: FourCC("MG2S")
        case .vp8: FourCC("VP8F")
        case .vp9: FourCC("VP9F")
        case .fwht: FourCC("SFWH")
        }
    }

    /// Those that libavcodec decodes here by the processor.
    public static let inSoftware: [VideoCoding] = allCases.filter { coding in
        guard let id = coding.libraryID else { return false }
        return avcodec_find_decoder(id) != nil
    }

    var libraryID: AVCodecID? {
        switch self {
        case .h264: AV_CODEC_ID_H264
        case .hevc: AV_CODEC_ID_HEVC
        case .mpeg2Video: AV_CODEC_ID_MPEG2VIDEO
        case .vp8: AV_CODEC_ID_VP8
        case .vp9: AV_CODEC_ID_VP9
        case .fwht: nil
        }
    }
}

extension Codec {
    /// Nil for what the box does not play.
    init?(_ coding: VideoCoding) {
        guard let codec = Codec.allCases.first(where: { VideoCoding($0) == coding }) else { return nil }
        self = codec
    }
}
