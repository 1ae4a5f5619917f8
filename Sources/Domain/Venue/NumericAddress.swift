// SPDX-License-Identifier: Apache-2.0

/// An IPv4 or IPv6 address out of its numeric text; names are never resolved.
public struct NumericAddress: Hashable, Sendable {
    /// Network order: 4 or 16.
    public let octets: [UInt8]

    public var isIPv6: Bool { octets.count == 16 }

    /// 224.0.0.0/4 or ff00::/8.
    public var isMulticast: Bool { isIPv6 ? octets[0] == 0xff : octets[0] & 0xf0 == 0xe0 }

    /// - Parameter text: dotted decimal without leading zeros, or RFC 4291 §2.2 without a zone. Nil: it is neither.
    public init?(_ text: String) {
        guard text.utf8.count <= 45, let octets = Self.version4(text[...]) ?? Self.version6(text) else { return nil }
        self.octets = octets
    }

    private static func version4(_ text: Substring) -> [UInt8]? {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 4 else { return nil }
        var octets: [UInt8] = []
        for part in parts {
            guard part.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let octet = UInt8(part),
                String(octet).utf8.count == part.utf8.count
            else { return nil }
            octets.append(octet)
        }
        return octets
    }

    private static func version6(_ text: String) -> [UInt8]? {
        guard let gap = firstGap(in: text) else {
            return groups(text[...]).flatMap { $0.count == 16 ? $0 : nil }
        }
        guard let head = groups(text[..<gap.lowerBound]), let tail = groups(text[gap.upperBound...]),
            head.count % 2 == 0, !text[..<gap.lowerBound].contains("."), head.count + tail.count <= 14
        else { return nil }
        return head + [UInt8](repeating: 0, count: 16 - head.count - tail.count) + tail
    }

    private static func firstGap(in text: String) -> Range<String.Index>? {
        var index = text.startIndex
        while index < text.endIndex {
            let after = text.index(after: index)
            if after < text.endIndex, text[index] == ":", text[after] == ":" { return index..<text.index(after: after) }
            index = after
        }
        return nil
    }

    /// Groups of hexadecimal digits between colons; the last may be an IPv4 address.
    private static func groups(_ text: Substring) -> [UInt8]? {
        guard !text.isEmpty else { return [] }
        var octets: [UInt8] = []
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count <= 8 else { return nil }
        for (index, part) in parts.enumerated() {
            if index == parts.count - 1, let last = version4(part) {
                octets += last
                continue
            }
            guard (1...4).contains(part.utf8.count), part.utf8.allSatisfy({ isHexDigit($0) }),
                let group = UInt16(part, radix: 16)
            else { return nil }
            octets += [UInt8(group >> 8), UInt8(group & 0xff)]
        }
        return octets
    }

    private static func isHexDigit(_ octet: UInt8) -> Bool {
        switch octet {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "f"),
            UInt8(ascii: "A")...UInt8(ascii: "F"):
            true
        default: false
        }
    }
}
