// SPDX-License-Identifier: Apache-2.0

/// Why a host or a router did not deliver a packet, by the type and code of its ICMP message (RFC 792, RFC 1812 §5.2.7) or
/// ICMPv6 message (RFC 4443 §3).
public struct DeliveryProblem: Equatable, Sendable {
    public let isIPv6: Bool
    public let type: UInt8
    public let code: UInt8

    public init(isIPv6: Bool, type: UInt8, code: UInt8) {
        self.isIPv6 = isIPv6
        self.type = type
        self.code = code
    }

    /// In words, without a full stop. What the standards do not name is told by its numbers.
    public var text: String {
        let names = isIPv6 ? Self.names6 : Self.names4
        return names[Int(type) << 8 | Int(code)] ?? "ICMP\(isIPv6 ? "v6" : "") type \(type), code \(code)"
    }

    private static let names4: [Int: String] = [
        3 << 8 | 0: "network unreachable", 3 << 8 | 1: "host unreachable", 3 << 8 | 2: "protocol unreachable",
        3 << 8 | 3: "port unreachable", 3 << 8 | 4: "packet too big", 3 << 8 | 6: "network unknown",
        3 << 8 | 7: "host unknown", 3 << 8 | 9: "network prohibited", 3 << 8 | 10: "host prohibited",
        3 << 8 | 13: "prohibited by a filter", 11 << 8 | 0: "too many hops", 11 << 8 | 1: "fragments did not come",
        5 << 8 | 0: "redirected", 5 << 8 | 1: "redirected",
    ]

    private static let names6: [Int: String] = [
        1 << 8 | 0: "no route", 1 << 8 | 1: "prohibited by a filter", 1 << 8 | 2: "beyond the scope of the address",
        1 << 8 | 3: "host unreachable", 1 << 8 | 4: "port unreachable", 1 << 8 | 5: "source address refused",
        1 << 8 | 6: "route refused", 2 << 8 | 0: "packet too big", 3 << 8 | 0: "too many hops",
        3 << 8 | 1: "fragments did not come",
    ]
}
