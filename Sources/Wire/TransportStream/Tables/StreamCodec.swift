// SPDX-License-Identifier: Apache-2.0

/// The codec of a stream, by stream_type, registration and DVB's descriptors.
public enum StreamCodec: Sendable, Equatable {
    case h264, hevc, mpeg1Video, mpeg2Video
    /// The kernel's test codec, see `FWHTHeader`.
    case fwht
    case adts, latm, mpegAudio, ac3, enhancedAC3, opus
    case spliceInformation
    /// Subtitles as pictures (SCTE 27).
    case subtitles
    /// Any other codec by its stream_type. DTS is 0x82, however it is signalled.
    case other(UInt8)

    /// - Parameter programRegistration: format_identifier of the whole program; nil if there is none. On discs, "HDMV",
    ///   it gives the types from 0x80 on another meaning than cable systems do.
    public init(type: UInt8, registration: UInt32? = nil, programRegistration: UInt32? = nil) {
        let isDisc = registration == 0x4844_4D56 || programRegistration == 0x4844_4D56
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
        case (0x06, 0x4F70_7573): self = .opus  // "Opus"
        case (0x06, 0x4657_4854): self = .fwht  // "FWHT"
        case (0x06, 0x4454_5331), (0x06, 0x4454_5332), (0x06, 0x4454_5333): self = .other(0x82)  // "DTS1" to "DTS3"
        case (0x82, 0x4454_5331), (0x82, 0x4454_5332), (0x82, 0x4454_5333): self = .other(0x82)
        case (0x80, _) where !isDisc: self = .mpeg2Video  // DigiCipher II
        case (0x82, _) where !isDisc: self = .subtitles
        case (0x86, _): self = .spliceInformation
        default: self = .other(type)
        }
    }

    /// The codec as people know it, with its stream_type if the box does not play it.
    public var name: String {
        guard case .other(let type) = self else { return "\(self)" }
        let number = "stream_type 0x" + String(type, radix: 16, uppercase: true)
        return Self.otherNames[type].map { "\($0) (\(number))" } ?? number
    }

    /// ISO/IEC 13818-1 table 2-34, and what the registrations of others have made usual.
    private static let otherNames: [UInt8: String] = [
        0x10: "MPEG-4 visual", 0x1C: "AAC without framing", 0x1F: "SVC", 0x20: "MVC", 0x21: "JPEG 2000",
        0x2D: "MPEG-H audio", 0x33: "VVC", 0x35: "EVC", 0x42: "AVS", 0x80: "LPCM", 0x82: "DTS", 0x83: "TrueHD",
        0x85: "DTS-HD", 0x8A: "DTS", 0xD1: "Dirac", 0xD2: "AVS2", 0xEA: "VC-1",
    ]

    public var isVideo: Bool {
        switch self {
        case .h264, .hevc, .mpeg1Video, .mpeg2Video, .fwht: true
        // MPEG-4 visual, SVC, MVC, JPEG 2000, HEVC layers, VVC, EVC, AVS, Dirac, VC-1.
        case .other(0x10), .other(0x1F...0x23), .other(0x25...0x2B), .other(0x33...0x35), .other(0x42),
            .other(0xD1...0xD2),
            .other(0xEA):
            true
        default: false
        }
    }

    public var isAudio: Bool {
        switch self {
        case .adts, .latm, .mpegAudio, .ac3, .enhancedAC3, .opus: true
        // MPEG-4 raw, MPEG-H, LPCM, and the codecs of discs such as DTS and TrueHD.
        case .other(0x1C), .other(0x2D...0x2E), .other(0x80), .other(0x82...0x85), .other(0x8A): true
        default: false
        }
    }

    /// Whether `TSDemultiplexer` delivers streams of this codec.
    public var isSupported: Bool {
        if case .other = self { return false }
        return isVideo || isAudio
    }
}
