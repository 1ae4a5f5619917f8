// SPDX-License-Identifier: Apache-2.0

/// Pictures or sound that travel in an RTP session of their own, described for a receiver.
public struct ElementaryMedium: Hashable, Sendable {
    public enum Coding: Hashable, Sendable {
        /// H.264 (RFC 6184). The parameter sets are the NAL units that were announced beside the stream. The depth of
        /// the interleaved mode is the number of slices that may be sent before one that is decoded before them, at
        /// most `mostInterleaved`; nil in other modes.
        case h264(parameterSets: [[UInt8]], interleavingDepth: Int? = nil)
        /// HEVC (RFC 7798), with its parameter sets likewise. It has a depth where units carry decoding order numbers.
        case hevc(parameterSets: [[UInt8]], interleavingDepth: Int? = nil)
        /// MPEG-1 or MPEG-2 video (RFC 2250).
        case mpegVideo
        /// AAC as mpeg4-generic in mode AAC-hbr (RFC 3640 §3.3.6).
        case aac(AACFormat)
        /// AAC as MP4A-LATM (RFC 6416). The StreamMuxConfig (ISO/IEC 14496-3 §1.7.3); nil if it comes in the stream.
        case latm(configuration: [UInt8]?)
        /// MPEG-1 or MPEG-2 audio of any layer (RFC 2250).
        case mpegAudio
        /// AC-3 (RFC 4184).
        case ac3
        /// Opus (RFC 7587).
        case opus
    }

    /// AudioSpecificConfig (ISO/IEC 14496-3 §1.6.2.1), and the widths in bits of the AU header's fields.
    public struct AACFormat: Hashable, Sendable {
        public var configuration: [UInt8]
        public var sizeLength: Int
        public var indexLength: Int
        public var indexDeltaLength: Int

        public init(configuration: [UInt8], sizeLength: Int, indexLength: Int, indexDeltaLength: Int) {
            self.configuration = configuration
            self.sizeLength = sizeLength
            self.indexLength = indexLength
            self.indexDeltaLength = indexDeltaLength
        }
    }

    /// Greatest depth of interleaving that is accepted.
    public static let mostInterleaved = 128
    /// Octets that interleaved units may need at most.
    public static let mostInterleavedOctets = 4 << 20
    /// RTP clock rates that are accepted, in hertz.
    public static let clockRates = 8_000...192_000

    /// Multicast group, or a unicast address of the box; numeric.
    public var address: String
    public var port: UInt16
    /// UDP port of RTCP at the same address; equal to `port` if both share it (RFC 5761), nil if RTCP is not sent.
    public var controlPort: UInt16?
    /// The one sender of a source-specific join (SSM); nil if any sender is accepted.
    public var source: String?
    /// Senders that are not received, as in `Transport.excludedSources`.
    public var excludedSources: [String]
    /// 0...127.
    public var payloadType: UInt8
    /// One of `clockRates`.
    public var clockRate: Int
    public var coding: Coding

    public init(
        address: String, port: UInt16, controlPort: UInt16? = nil, source: String? = nil,
        excludedSources: [String] = [], payloadType: UInt8, clockRate: Int, coding: Coding
    ) {
        self.address = address
        self.port = port
        self.controlPort = controlPort
        self.source = source
        self.excludedSources = excludedSources
        self.payloadType = payloadType
        self.clockRate = clockRate
        self.coding = coding
    }

    public var isVideo: Bool {
        switch coding {
        case .h264, .hevc, .mpegVideo: true
        case .aac, .latm, .mpegAudio, .ac3, .opus: false
        }
    }
}
