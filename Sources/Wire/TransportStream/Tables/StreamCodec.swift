// SPDX-License-Identifier: Apache-2.0

/// What a stream is coded in, by stream_type and registration.
public enum StreamCodec: Sendable, Equatable {
    case h264, hevc, mpeg1Video, mpeg2Video
    case adts, latm, mpegAudio, ac3, enhancedAC3
    case spliceInformation
    case other(UInt8)

    public init(type: UInt8, registration: UInt32? = nil) {
        switch (type, registration) {
        case (0x01, _): self = .mpeg1Video
        case (0x02, _): self = .mpeg2Video
        case (0x03, _), (0x04, _): self = .mpegAudio
        case (0x0F, _): self = .adts
        case (0x11, _): self = .latm
        case (0x1B, _): self = .h264
        case (0x24, _), (0x06, 0x4845_5643): self = .hevc  // "HEVC"
        case (0x81, _), (0x06, 0x4143_2D33): self = .ac3  // "AC-3"
        case (0x87, _), (0x06, 0x4541_4333): self = .enhancedAC3  // "EAC3"
        case (0x86, _): self = .spliceInformation
        default: self = .other(type)
        }
    }

    public var isVideo: Bool {
        switch self {
        case .h264, .hevc, .mpeg1Video, .mpeg2Video: true
        default: false
        }
    }

    public var isAudio: Bool {
        switch self {
        case .adts, .latm, .mpegAudio, .ac3, .enhancedAC3: true
        default: false
        }
    }

    /// Whether `TSDemultiplexer` delivers it.
    public var isSupported: Bool { self == .h264 || self == .adts }
}
