// SPDX-License-Identifier: Apache-2.0

/// A session by the Session Description Protocol (RFC 8866): the parts that say what is sent to which address.
public struct SessionDescription: Equatable, Sendable {
    /// `o=`. All fields but the version together identify the session (RFC 8866 §5.2).
    public struct Origin: Hashable, Sendable {
        public var userName: String
        /// A number by the standard. ffmpeg sends 0 for every session.
        public var sessionID: String
        public var sessionVersion: String
        /// Address of the originator; VLC sends a host name.
        public var address: String
    }

    /// `c=` without the number of addresses.
    public struct Connection: Hashable, Sendable {
        public var address: String
        /// TTL, for IPv4 multicast only; else nil.
        public var ttl: UInt8?
    }

    /// `a=name` or `a=name:value`.
    public struct Attribute: Hashable, Sendable {
        public var name: String
        public var value: String?
    }

    /// `m=` and the lines that belong to it.
    public struct Media: Equatable, Sendable {
        /// `video`, `audio`, `application`…
        public var kind: String
        /// Port; 0 if the medium is refused or not sent.
        public var port: UInt16
        /// `RTP/AVP`, `udp`…
        public var transportProtocol: String
        /// Formats; payload types if the medium is RTP.
        public var formats: [String]
        public var connection: Connection?
        public var bandwidthKbps: Int?
        public var attributes: [Attribute] = []
    }

    public var origin: Origin
    /// `s=`: the session's name.
    public var name: String
    /// `i=`: information about the session; nil if absent.
    public var information: String?
    public var connection: Connection?
    /// `b=AS` or `b=TIAS` in kbit/s, rounded up; nil if absent.
    public var bandwidthKbps: Int?
    public var attributes: [Attribute] = []
    public var media: [Media] = []

    public static let mostOctets = 8_192
    public static let mostLines = 256
    public static let longestLine = 2_048
    public static let mostMedia = 16
}

extension SessionDescription {
    /// Attribute of a session that is announced in JSON as well; its value is the channel's id. The description is for
    /// players that do not read the JSON. A box that reads the JSON must not list the channel twice, and must not use
    /// the description to bypass the licence.
    public static let twinAttribute = "x-touchline-session"

    public func value(ofAttribute name: String) -> String? { attributes.first { $0.name == name }?.value }
}
