// SPDX-License-Identifier: Apache-2.0
import Shapes

/// The URL from which a box fetches its order, or to which it sends its reports. `{box}` in it stands for the box's id.
public struct OrderServerURL: Hashable, Sendable {
    public static let mostOctets = 1_024

    private let text: String
    public let isSecure: Bool
    /// The host is this machine or has a link-local address, and the URL itself says so: not a name that leads there.
    public let isNear: Bool

    /// nil unless it is an absolute URL of the scheme http or https, without a user, a password or a fragment.
    public init?(_ text: String) {
        guard text.utf8.count <= Self.mostOctets, text.utf8.allSatisfy({ (0x21...0x7e).contains($0) }),
            let scheme = ["http://", "https://"].first(where: { text.lowercased().hasPrefix($0) })
        else { return nil }
        let rest = text.dropFirst(scheme.count)
        let authority = rest.prefix { $0 != "/" && $0 != "?" }
        guard !rest.contains("#"), !rest.contains("\\"), let host = Host(authority) else { return nil }
        self.text = text
        isSecure = scheme == "https://"
        isNear = host.isNear
    }

    /// The URL for a box.
    public func url(of box: String) -> String {
        text.replacing("{box}", with: String(String.UnicodeScalarView(box.utf8.flatMap { Self.escaped($0) })))
    }

    /// The host of a URL: a name, or an address, an IPv6 address in brackets.
    private struct Host {
        let name: String
        let isAddress6: Bool

        /// nil if the port is no port, or the host is empty or has what no name and no address has.
        init?(_ authority: Substring) {
            let rest: Substring
            isAddress6 = authority.hasPrefix("[")
            if isAddress6 {
                guard let end = authority.firstIndex(of: "]") else { return nil }
                name = authority[authority.index(after: authority.startIndex)..<end].lowercased()
                rest = authority[authority.index(after: end)...]
            } else {
                let host = authority.prefix { $0 != ":" }
                name = host.lowercased()
                rest = authority[host.endIndex...]
            }
            let isAddress6 = isAddress6
            let isWellFormed = name.utf8.allSatisfy { isAddress6 ? isOfAddress6($0) : isUnreserved($0) }
            guard !name.isEmpty, isWellFormed, rest.isEmpty || Self.isPort(rest) else { return nil }
        }

        private static func isPort(_ rest: Substring) -> Bool {
            guard rest.hasPrefix(":"), let port = UInt16(rest.dropFirst()) else { return false }
            return port > 0 && rest.dropFirst() == "\(port)"
        }

        var isNear: Bool {
            if isAddress6 { return name == "::1" || ["fe8", "fe9", "fea", "feb"].contains { name.hasPrefix($0) } }
            let parts = name.split(separator: ".", omittingEmptySubsequences: false).map { UInt8($0) }
            guard parts.count == 4, !parts.contains(nil) else { return name == "localhost" }
            return parts[0] == 127 || parts[0] == 169 && parts[1] == 254
        }
    }

    /// What stands for an octet in a path: unreserved ones for themselves (RFC 3986 §2.3).
    private static func escaped(_ octet: UInt8) -> [Unicode.Scalar] {
        if isUnreserved(octet) { return [Unicode.Scalar(octet)] }
        let digits = Array("0123456789ABCDEF".unicodeScalars)
        return ["%", digits[Int(octet >> 4)], digits[Int(octet & 15)]]
    }
}

private func isUnreserved(_ octet: UInt8) -> Bool {
    switch octet {
    case 0x30...0x39, 0x41...0x5a, 0x61...0x7a, UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"): true
    default: false
    }
}

private func isOfAddress6(_ octet: UInt8) -> Bool {
    switch octet {
    case 0x30...0x3a, 0x61...0x66, UInt8(ascii: "."): true
    default: false
    }
}

extension TextFormat {
    private static let port =
        "[1-9][0-9]{0,3}|[1-5][0-9]{4}|6[0-4][0-9]{3}|65[0-4][0-9]{2}|655[0-2][0-9]|6553[0-5]"

    /// A URL of a server that has orders for boxes; empty: none.
    public static let orderServer = server("order")
    /// A URL of a server that takes the reports of boxes; empty: none.
    public static let reportServer = server("reports")

    private static func server(_ subject: String) -> TextFormat {
        TextFormat(
            "\"\", or a URL like https://venue.example/v1/boxes/{box}/\(subject) without user and fragment",
            schema: [
                "maxLength": .integer(Int64(OrderServerURL.mostOctets)),
                "pattern": .string(
                    #"^([Hh][Tt][Tt][Pp][Ss]?://([A-Za-z0-9._-]+|\[[0-9A-Fa-f:.]+\])(:(\#(port)))?([/?][!-"$-\[\]-~]*)?)?$"#
                ),
            ]
        ) { $0.isEmpty || OrderServerURL($0) != nil }
    }
}
