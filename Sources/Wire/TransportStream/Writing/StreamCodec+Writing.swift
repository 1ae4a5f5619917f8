// SPDX-License-Identifier: Apache-2.0

extension StreamCodec {
    /// stream_type and registration with which a stream of this codec is listed in a program map; what `init` reads.
    var signalling: (type: UInt8, registration: UInt32?) {
        switch self {
        case .mpeg1Video: (0x01, nil)
        case .mpeg2Video: (0x02, nil)
        case .mpegAudio: (0x04, nil)  // ISO/IEC 13818-3, which includes 11172-3
        case .adts: (0x0F, nil)
        case .latm: (0x11, nil)
        case .h264: (0x1B, nil)
        case .hevc: (0x24, nil)
        case .ac3: (0x81, 0x4143_2D33)  // "AC-3"
        case .enhancedAC3: (0x87, 0x4541_4333)  // "EAC3"
        case .opus: (0x06, 0x4F70_7573)  // "Opus"
        case .fwht: (0x06, 0x4657_4854)  // "FWHT"
        case .spliceInformation: (0x86, nil)
        case .subtitles: (0x82, nil)
        case .other(0x82): (0x82, 0x4454_5331)  // "DTS1"
        case .other(let type): (type, nil)
        }
    }

    /// stream_id of PES packets (ISO/IEC 13818-1 table 2-22). A codec that is not of MPEG is in private_stream_1.
    var streamID: UInt8 {
        switch self {
        case .ac3, .enhancedAC3, .opus: 0xBD
        default: isVideo ? 0xE0 : 0xC0
        }
    }

    /// The access unit delimiter that each picture begins with; empty for a codec that has none.
    var delimiter: [UInt8] {
        switch self {
        case .h264: [0, 0, 0, 1, 9, 0xF0]
        case .hevc: [0, 0, 0, 1, 0x46, 0x01, 0x50]
        default: []
        }
    }
}

extension ElementaryStream {
    /// A stream as it is written.
    /// - Parameter channels: of Opus.
    init(writing codec: StreamCodec, pid: UInt16, language: String? = nil, channels: Int = 0) {
        let (type, registration) = codec.signalling
        self.init(type: type, pid: pid, language: language, registration: registration, channels: channels)
    }
}
