// SPDX-License-Identifier: Apache-2.0
internal import CLibAVCodec
import Media

/// A video coding, as decoders of any kind name it.
public enum VideoCoding: String, Sendable, Hashable, CaseIterable {
    case h264, hevc, mpeg2Video, vp8, vp9
    /// The kernel's own test codec (fast Walsh-Hadamard transform).
    case fwht

    /// nil if no device decodes the codec.
    public init?(_ codec: Codec) {
        switch codec {
        case .h264: self = .h264
        case .hevc: self = .hevc
        case .mpeg2Video: self = .mpeg2Video
        case .fwht: self = .fwht
        default: return nil
        }
    }

    /// Whether the box plays streams of this coding.
    public var isPlayed: Bool { Codec(self) != nil }

    /// - Parameter format: a format of a coded queue, stateful or stateless; the result is nil if it is unknown.
    public init?(_ format: FourCC) {
        guard let found = Self.allCases.first(where: { $0.stateful == format || $0.stateless == format }) else {
            return nil
        }
        self = found
    }

    /// V4L2 format of the stream as it is, which a stateful decoder takes.
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

    /// V4L2 format of single pictures that the user parses, with their parameters in controls (the request API).
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

    /// The codings that libavcodec decodes on the processor here.
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
    /// nil if the box does not play the coding.
    init?(_ coding: VideoCoding) {
        guard let codec = Codec.allCases.first(where: { VideoCoding($0) == coding }) else { return nil }
        self = codec
    }
}
