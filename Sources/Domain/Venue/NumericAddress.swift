// SPDX-License-Identifier: Apache-2.0

/// An IPv4 or IPv6 address in numeric form, without a zone. Names are never resolved.
public struct NumericAddress: Hashable, Sendable {
    public let isIPv6: Bool
    /// The upper half of an IPv6 address; 0 for IPv4.
    public let high: UInt64
    /// The lower half of an IPv6 address; an IPv4 address in the low 32 bits.
    public let low: UInt64

    public init(v4 value: UInt32) {
        isIPv6 = false
        high = 0
        low = UInt64(value)
    }

    public init(v6 high: UInt64, _ low: UInt64) {
        isIPv6 = true
        self.high = high
        self.low = low
    }

    /// Whether the address is in 224.0.0.0/4 or ff00::/8.
    public var isMulticast: Bool { isIPv6 ? high >> 56 == 0xff : low >> 28 == 0xe }

    /// Whether the address is in 127.0.0.0/8 or ::1.
    public var isLoopback: Bool { isIPv6 ? high == 0 && low == 1 : low >> 24 == 127 }

    public var isUnspecified: Bool { high == 0 && low == 0 }

    /// Whether the address is that of one host: neither multicast nor unspecified nor 255.255.255.255.
    public var isUnicast: Bool { !isMulticast && !isUnspecified && (isIPv6 || low != 0xffff_ffff) }

    /// 4 or 16 octets in network order.
    public var octets: [UInt8] {
        (0..<(isIPv6 ? 16 : 4)).reversed().map { index -> UInt8 in
            let half = index < 8 ? low : high
            return UInt8(truncatingIfNeeded: half >> (index % 8 * 8))
        }
    }

    /// The IPv4 address of `::ffff:a.b.c.d`, as which a dual-stack socket reports an IPv4 peer; otherwise itself.
    public var unmapped: NumericAddress {
        guard isIPv6, high == 0, low >> 32 == 0xffff else { return self }
        return NumericAddress(v4: UInt32(truncatingIfNeeded: low))
    }
}

extension NumericAddress: LosslessStringConvertible {
    /// Accepts dotted decimal without leading zeros, and RFC 4291 §2.2. nil for all else: names, zones, ports, octal.
    public init?(_ text: String) {
        let octets = Array(text.utf8.prefix(46))
        if octets.contains(UInt8(ascii: ":")) {
            guard let (high, low) = Self.halves(v6: octets[...]) else { return nil }
            self.init(v6: high, low)
        } else {
            guard let value = Self.value(v4: octets[...]) else { return nil }
            self.init(v4: value)
        }
    }

    /// IPv6 in the form of RFC 5952: lower case, with the first longest run of zero groups shortened.
    public var description: String {
        guard isIPv6 else { return Self.dotted(UInt32(truncatingIfNeeded: low)) }
        return unmapped.isIPv6 ? Self.shortened(groups) : "::ffff:\(unmapped)"
    }

    private var groups: [UInt16] {
        (0..<8).map { index -> UInt16 in
            let half = index < 4 ? high : low
            return UInt16(truncatingIfNeeded: half >> (48 - index % 4 * 16))
        }
    }

    private static func dotted(_ value: UInt32) -> String {
        "\(value >> 24).\(value >> 16 & 0xff).\(value >> 8 & 0xff).\(value & 0xff)"
    }

    private static func shortened(_ groups: [UInt16]) -> String {
        var best = 0..<0
        var start = 0
        for (index, group) in groups.enumerated() {
            guard group == 0 else {
                start = index + 1
                continue
            }
            if index + 1 - start > max(best.count, 1) { best = start..<(index + 1) }
        }
        let text = { (part: ArraySlice<UInt16>) in part.map { String($0, radix: 16) }.joined(separator: ":") }
        guard !best.isEmpty else { return text(groups[...]) }
        return text(groups[..<best.lowerBound]) + "::" + text(groups[best.upperBound...])
    }

    private static func value(v4 octets: ArraySlice<UInt8>) -> UInt32? {
        let parts = octets.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard parts.count == 4 else { return nil }
        var value: UInt32 = 0
        for part in parts {
            guard (1...3).contains(part.count), part.count == 1 || part.first != UInt8(ascii: "0") else { return nil }
            var number: UInt32 = 0
            for octet in part {
                guard (0x30...0x39).contains(octet) else { return nil }
                number = number * 10 + UInt32(octet - 0x30)
            }
            guard number <= 255 else { return nil }
            value = value << 8 | number
        }
        return value
    }

    private static func halves(v6 octets: ArraySlice<UInt8>) -> (UInt64, UInt64)? {
        let colon = UInt8(ascii: ":")
        var groups: [UInt16] = []
        var gap: Int?
        var rest = octets
        if rest.starts(with: [colon, colon]) {
            gap = 0
            rest = rest.dropFirst(2)
        }
        while !rest.isEmpty {
            let piece = rest.prefix { $0 != colon }
            rest = rest.dropFirst(piece.count)
            if rest.isEmpty, piece.contains(UInt8(ascii: ".")) {
                guard let value = value(v4: piece) else { return nil }
                groups += [UInt16(truncatingIfNeeded: value >> 16), UInt16(truncatingIfNeeded: value)]
                break
            }
            guard groups.count < 8, let group = hexadecimal(piece) else { return nil }
            groups.append(group)
            guard !rest.isEmpty else { break }
            rest = rest.dropFirst()
            guard let next = rest.first else { return nil }  // a single colon at the end
            if next == colon {
                guard gap == nil else { return nil }
                gap = groups.count
                rest = rest.dropFirst()
            }
        }
        if let gap {
            guard groups.count < 8 else { return nil }
            groups.insert(contentsOf: repeatElement(0, count: 8 - groups.count), at: gap)
        }
        guard groups.count == 8 else { return nil }
        let half = { (part: ArraySlice<UInt16>) in part.reduce(UInt64(0)) { $0 << 16 | UInt64($1) } }
        return (half(groups[..<4]), half(groups[4...]))
    }

    private static func hexadecimal(_ digits: ArraySlice<UInt8>) -> UInt16? {
        guard (1...4).contains(digits.count) else { return nil }
        var value: UInt16 = 0
        for digit in digits {
            guard let nibble = Character(Unicode.Scalar(digit)).hexDigitValue else { return nil }
            value = value << 4 | UInt16(nibble)
        }
        return value
    }
}
