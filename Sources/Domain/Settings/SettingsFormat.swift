// SPDX-License-Identifier: Apache-2.0
import JSON
import Scene
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
    /// A screen's mode, or nothing.
    case displayMode
    /// A connector as the kernel names it, or nothing.
    case connector

    func accepts(_ text: String) -> Bool {
        switch self {
        case .address: NumericAddress(text) != nil
        case .path: text.isEmpty || text.utf8.first == UInt8(ascii: "/") && !text.utf8.contains(0)
        case .interface: text.utf8.count <= 15 && text.utf8.allSatisfy { (0x21...0x7e).contains($0) && $0 != 0x2f }
        case .bssid: Self.isBSSID(text)
        case .timeZone: text.isEmpty || Self.isTimeZone(text)
        case .displayMode: text.isEmpty || ModePin(text) != nil
        case .connector: text.isEmpty || Self.isConnector(text)
        }
    }

    var expectation: String {
        switch self {
        case .address: "a numeric IPv4 or IPv6 address"
        case .path: "an absolute path or \"\""
        case .interface: "the name of a network interface (1...15 characters, no '/') or \"\""
        case .bssid: "six octets like 00:1b:2c:3d:4e:5f"
        case .timeZone: "the name of a time zone like Europe/Berlin or \"\""
        case .displayMode: "\(ModePin.expectation), or \"\""
        case .connector: "the name of a connector like HDMI-A-1 or \"\""
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
        case .displayMode: ["pattern": .string("^(\(ModePin.pattern))?$")]
        case .connector: ["pattern": "^([A-Za-z][A-Za-z-]{0,15}-[1-9][0-9]{0,2})?$"]
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

    /// What it is of, and the how manieth of these.
    private static func isConnector(_ text: String) -> Bool {
        guard let dash = text.utf8.lastIndex(of: UInt8(ascii: "-")) else { return false }
        let (kind, number) = (text.utf8[..<dash], text.utf8[text.utf8.index(after: dash)...])
        return (1...16).contains(kind.count) && (1...3).contains(number.count)
            && kind.first != UInt8(ascii: "-") && number.first != UInt8(ascii: "0")
            && kind.allSatisfy { (0x61...0x7a).contains($0 | 0x20) || $0 == UInt8(ascii: "-") }
            && number.allSatisfy { (0x30...0x39).contains($0) }
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
