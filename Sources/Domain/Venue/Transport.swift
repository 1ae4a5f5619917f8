// SPDX-License-Identifier: Apache-2.0

/// Where and how a channel is heard.
public struct Transport: Hashable, Sendable {
    public enum Encapsulation: Hashable, Sendable {
        /// MPEG-2 TS in RTP (RFC 2250) with this payload type, 0...127.
        case rtp(payloadType: UInt8)
        /// Bare TS packets in UDP.
        case raw
    }

    /// Multicast group or own unicast address, numeric.
    public var address: String
    public var port: UInt16
    /// Source-specific join (SSM) when there.
    public var source: String?
    public var encapsulation: Encapsulation

    public init(address: String, port: UInt16, source: String? = nil, encapsulation: Encapsulation) {
        self.address = address
        self.port = port
        self.source = source
        self.encapsulation = encapsulation
    }
}
