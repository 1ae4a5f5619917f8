// SPDX-License-Identifier: Apache-2.0

/// Why a connection was ended (IEEE 802.11-2020, table 9-49).
public struct ReasonCode: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
    /// 1...65,535; 0 is reserved.
    public let rawValue: UInt16

    public init(rawValue: UInt16) { self.rawValue = rawValue }

    /// What the standard says, in a few words. nil if it reserves the number.
    public var meaning: String? { Self.meanings[rawValue] }

    /// Such as "4: inactivity", or "4711" if the number has no meaning.
    public var description: String { meaning.map { "\(rawValue): \($0)" } ?? "\(rawValue)" }

    private static let meanings: [UInt16: String] = [
        1: "unspecified reason",
        2: "authentication is no longer valid",
        3: "the sender leaves and ends the authentication",
        4: "inactivity",
        5: "the access point cannot handle more stations",
        6: "frame that needs authentication, from a station that is not authenticated",
        7: "frame that needs association, from a station that is not associated",
        8: "the sender leaves and ends the association",
        9: "association was asked for without authentication",
        10: "power capability is unacceptable",
        11: "supported channels are unacceptable",
        12: "BSS transition management",
        13: "invalid element",
        14: "message integrity code failure",
        15: "4-way handshake timed out",
        16: "group key handshake timed out",
        17: "handshake element differs from that of association or beacon",
        18: "invalid group cipher",
        19: "invalid pairwise cipher",
        20: "invalid authentication and key management",
        21: "unsupported version of RSN element",
        22: "invalid RSN capabilities",
        23: "IEEE 802.1X authentication failed",
        24: "cipher suite rejected by policy",
        25: "TDLS peer cannot be reached",
        26: "TDLS teardown, unspecified",
        27: "session ended by request of the service provider",
        28: "no roaming agreement with the service provider",
        29: "cipher or key management does not meet the service provider's requirement",
        30: "service is not authorised at this location",
        31: "change of service precludes the traffic stream",
        32: "unspecified QoS reason",
        33: "not enough bandwidth for QoS",
        34: "too many frames were not acknowledged",
        35: "station exceeded its transmission opportunities",
        36: "the sender leaves or resets",
        37: "end of traffic stream, block acknowledgement or direct link",
        38: "unknown traffic stream, block acknowledgement or direct link",
        39: "timeout",
        45: "peer key mismatch",
        46: "limit of authorised access reached",
        47: "external service requirements",
        48: "invalid count of fast transition action frames",
        49: "invalid pairwise master key identifier",
        50: "invalid mobility domain element",
        51: "invalid fast transition element",
        52: "mesh peering cancelled",
        53: "too many mesh peers",
        54: "mesh configuration violates policy",
        55: "mesh peering closed by the peer",
        56: "too many retries of mesh peering",
        57: "confirmation of mesh peering timed out",
        58: "invalid group key of the mesh",
        59: "inconsistent mesh parameters",
        60: "invalid mesh security capability",
        61: "no proxy information for the mesh path",
        62: "no forwarding information for the mesh path",
        63: "destination of the mesh path cannot be reached",
        64: "address already exists in the mesh",
        65: "mesh channel switch by regulatory requirement",
        66: "mesh channel switch, unspecified",
    ]
}
