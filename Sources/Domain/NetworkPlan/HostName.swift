// SPDX-License-Identifier: Apache-2.0
import Venue

/// A name of the domain name system (RFC 1123 §2.1), or a numeric address.
public struct HostName: Hashable, Sendable, LosslessStringConvertible {
    public let description: String

    public init?(_ text: String) {
        guard NumericAddress(text) != nil || Self.isName(text) else { return nil }
        description = text
    }

    /// Labels of letters, digits and '-', of which the last is no number: that would be an address that is wrong.
    private static func isName(_ text: String) -> Bool {
        guard (1...253).contains(text.utf8.count) else { return false }
        let labels = text.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard let last = labels.last, !last.allSatisfy({ (0x30...0x39).contains($0) }) else { return false }
        return labels.allSatisfy { label in
            (1...63).contains(label.count) && label.first != UInt8(ascii: "-") && label.last != UInt8(ascii: "-")
                && label.allSatisfy {
                    (0x30...0x39).contains($0) || (0x61...0x7a).contains($0 | 0x20) || $0 == UInt8(ascii: "-")
                }
        }
    }
}
