// SPDX-License-Identifier: Apache-2.0
import JSON
import Venue

/// A text of a known form.
public enum SettingsFormat: Sendable {
    /// Numeric IPv4 or IPv6.
    case address
    /// An absolute path, or nothing.
    case path
    /// A network interface's name, or nothing.
    case interface
    /// Six pairs of hexadecimal digits between ':' or '-'.
    case bssid
    /// A name of tzdata, like Europe/Berlin, or nothing.
    case timeZone

    func accepts(_ text: String) -> Bool {
        switch self {
        case .address: NumericAddress(text) != nil
        case .path: text.isEmpty || text.utf8.first == UInt8(ascii: "/") && !text.utf8.contains(0)
        case .interface: text.utf8.count <= 15 && text.utf8.allSatisfy { (0x21...0x7e).contains($0) && $0 != 0x2f }
        case .bssid: Self.isBSSID(text)
        case .timeZone: text.isEmpty || Self.isTimeZone(text)
        }
    }

    var expectation: String {
        switch self {
        case .address: "a numeric IPv4 or IPv6 address"
        case .path: "an absolute path or \"\""
        case .interface: "the name of a network interface (1...15 characters, no '/') or \"\""
        case .bssid: "six octets like 00:1b:2c:3d:4e:5f"
        case .timeZone: "the name of a time zone like Europe/Berlin or \"\""
        }
    }

    /// What JSON Schema can say of it.
    var schema: [String: JSONValue] {
        switch self {
        case .address: ["anyOf": [["format": "ipv4"], ["format": "ipv6"]]]
        case .path: ["pattern": "^(/.*)?$"]
        case .interface: ["pattern": "^[!-.0-~]{0,15}$"]
        case .bssid: ["pattern": "^[0-9A-Fa-f]{2}([:-][0-9A-Fa-f]{2}){5}$"]
        case .timeZone: ["pattern": "^([A-Za-z0-9_+-]+(/[A-Za-z0-9_+-]+){0,3})?$", "maxLength": 64]
        }
    }

    private static func isBSSID(_ text: String) -> Bool {
        let octets = Array(text.utf8)
        return octets.count == 17
            && octets.indices.allSatisfy { index in
                index % 3 == 2
                    ? octets[index] == UInt8(ascii: ":") || octets[index] == UInt8(ascii: "-")
                    : octets[index] < 0x80 && Character(Unicode.Scalar(octets[index])).isHexDigit
            }
    }

    /// One to four names of letters, digits and signs: a path of it leads nowhere else.
    private static func isTimeZone(_ text: String) -> Bool {
        let parts = text.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        return text.utf8.count <= 64 && parts.count <= 4
            && parts.allSatisfy { part in
                !part.isEmpty
                    && part.allSatisfy { octet in
                        (0x30...0x39).contains(octet) || (0x61...0x7a).contains(octet | 0x20) || octet == 0x5f
                            || octet == 0x2b || octet == 0x2d
                    }
            }
    }
}
