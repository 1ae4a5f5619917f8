// SPDX-License-Identifier: Apache-2.0

/// The name of a WiFi network (SSID): any 1...32 octets of UTF-8, control characters among them.
public struct NetworkName: Hashable, Sendable, LosslessStringConvertible {
    public let description: String

    public init?(_ text: String) {
        guard (1...32).contains(text.utf8.count) else { return nil }
        description = text
    }
}

/// What a WiFi network of WPA2 or WPA3 is entered with. It has no description, because it is a secret.
public enum WirelessKey: Hashable, Sendable {
    /// 8...63 of the characters from the space to '~'.
    case passphrase(String)
    /// 64 hexadecimal digits, in lower case.
    case octets(String)

    public init?(_ text: String) {
        let octets = Array(text.utf8)
        if octets.count == 64, octets.allSatisfy({ $0 < 0x80 && Character(Unicode.Scalar($0)).isHexDigit }) {
            self = .octets(text.lowercased())
        } else if (8...63).contains(octets.count), octets.allSatisfy({ (0x20...0x7e).contains($0) }) {
            self = .passphrase(text)
        } else {
            return nil
        }
    }

    public var text: String {
        switch self {
        case .passphrase(let text), .octets(let text): text
        }
    }
}

/// A country by ISO 3166-1: two letters, in upper case.
public struct CountryCode: Hashable, Sendable, LosslessStringConvertible {
    public let description: String

    public init?(_ text: String) {
        guard text.utf8.count == 2, text.utf8.allSatisfy({ (0x41...0x5a).contains($0) }) else { return nil }
        description = text
    }
}
