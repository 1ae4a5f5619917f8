// SPDX-License-Identifier: Apache-2.0
import Venue

/// The host in the URL of a service.
public enum ServiceHost: Hashable, Sendable, CustomStringConvertible {
    case address(NumericAddress)
    /// To be resolved; in lower case, 1...253 octets of letters, digits, hyphens, low lines and dots.
    case name(String)

    /// - Parameter text: as in a URL: an IPv6 address stands in brackets and has no zone.
    init?(_ text: Substring) {
        if text.first == "[" {
            guard text.last == "]", let address = NumericAddress(String(text.dropFirst().dropLast())), address.isIPv6
            else { return nil }
            self = .address(address)
        } else if let address = NumericAddress(String(text)) {
            guard !address.isIPv6 else { return nil }
            self = .address(address)
        } else {
            guard text.utf8.count <= 253 else { return nil }
            let labels = text.split(separator: ".", omittingEmptySubsequences: false)
            // A name whose last label is a number would be an IPv4 address that is not one.
            guard labels.allSatisfy(Self.isLabel), labels.last?.utf8.allSatisfy({ 0x30...0x39 ~= $0 }) == false else {
                return nil
            }
            self = .name(text.lowercased())
        }
    }

    /// As in a URL.
    public var description: String {
        switch self {
        case .address(let address): address.isIPv6 ? "[\(address)]" : "\(address)"
        case .name(let name): name
        }
    }

    private static func isLabel(_ label: Substring) -> Bool {
        (1...63).contains(label.utf8.count)
            && label.utf8.allSatisfy { octet in
                switch octet {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
                    true
                default: false
                }
            }
    }
}
