// SPDX-License-Identifier: Apache-2.0

/// Pictures or sound in an RTP session of its own, as a receiver needs it.
public struct ElementaryMedium: Hashable, Sendable {
    public enum Coding: Hashable, Sendable {
        /// H.264 (RFC 6184); NAL units that were announced beside the stream.
        case h264(parameterSets: [[UInt8]])
        /// AAC in mpeg4-generic, mode AAC-hbr (RFC 3640 §3.3.6).
        case aac(AACFormat)
    }

    /// AudioSpecificConfig (ISO/IEC 14496-3 §1.6.2.1), and the widths in bits of an AU header's fields.
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

    /// Time stamps that are read, per second.
    public static let clockRates = 8_000...192_000

    /// Multicast group or own unicast address, numeric.
    public var address: String
    public var port: UInt16
    /// Of RTCP, at the same address; `port` itself when both come there (RFC 5761), nil when it is not sent.
    public var controlPort: UInt16?
    /// Source-specific join (SSM) when there.
    public var source: String?
    /// As of a `Transport`.
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

    public var isVideo: Bool { if case .h264 = coding { true } else { false } }
}
