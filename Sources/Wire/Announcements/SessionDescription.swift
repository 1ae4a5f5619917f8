// SPDX-License-Identifier: Apache-2.0

/// A session by the Session Description Protocol (RFC 8866), as far as it says what is sent where.
public struct SessionDescription: Equatable, Sendable {
    /// `o=`: with all of it but the version, one session is the same as another (RFC 8866 §5.2).
    public struct Origin: Hashable, Sendable {
        public var userName: String
        /// A number by the standard; ffmpeg sends 0 for every session.
        public var sessionID: String
        public var sessionVersion: String
        /// VLC sends a host name.
        public var address: String
    }

    /// `c=`, without its count of addresses.
    public struct Connection: Hashable, Sendable {
        public var address: String
        /// IPv4 multicast only.
        public var ttl: UInt8?
    }

    /// `a=name` or `a=name:value`.
    public struct Attribute: Hashable, Sendable {
        public var name: String
        public var value: String?
    }

    /// `m=` and the lines below it.
    public struct Media: Equatable, Sendable {
        /// `video`, `audio`, `application`…
        public var kind: String
        /// 0: refused or not sent.
        public var port: UInt16
        /// `RTP/AVP`, `udp`…
        public var transportProtocol: String
        /// Payload types when it is RTP.
        public var formats: [String]
        public var connection: Connection?
        public var bandwidthKbps: Int?
        public var attributes: [Attribute] = []
    }

    public var origin: Origin
    /// `s=`
    public var name: String
    /// `i=`
    public var information: String?
    public var connection: Connection?
    /// `b=AS` or `b=TIAS`, rounded up.
    public var bandwidthKbps: Int?
    public var attributes: [Attribute] = []
    public var media: [Media] = []

    public static let mostOctets = 8_192
    public static let mostLines = 256
    public static let longestLine = 2_048
    public static let mostMedia = 16
}

extension SessionDescription {
    /// A session that is announced in JSON too says so here, with the channel's id: the description is for players that
    /// do not read the JSON, and a box that does shall not list the channel twice, nor past its licence.
    public static let twinAttribute = "x-touchline-session"

    public func value(ofAttribute name: String) -> String? { attributes.first { $0.name == name }?.value }
}
