// SPDX-License-Identifier: Apache-2.0

/// Base64 (RFC 4648 §4), for pictures inside JSON and parameter sets in SDP.
public enum Base64 {
    /// What `decode` accepts beyond what `encode` writes.
    public enum Tolerance: Sendable {
        /// Nothing more: each value has exactly one text.
        case none
        /// What senders of SDP write: too little or too much padding, and unused bits that are not 0.
        case padding
    }

    public static func encode(_ octets: some Collection<UInt8>) -> String {
        var text: [UInt8] = []
        text.reserveCapacity((octets.count + 2) / 3 * 4)
        var group: UInt32 = 0
        var bits = 0
        for octet in octets {
            group = group << 8 | UInt32(octet)
            bits += 8
            while bits >= 6 {
                bits -= 6
                text.append(symbol(of: group >> UInt32(bits)))
            }
        }
        if bits > 0 { text.append(symbol(of: group << UInt32(6 - bits))) }
        while text.count % 4 != 0 { text.append(padding) }
        return String(decoding: text, as: UTF8.self)
    }

    /// - Returns: nil when the text is not base64: it has other characters, padding inside, or a length that no octets
    ///   encode to.
    public static func decode(_ text: some StringProtocol, tolerating tolerance: Tolerance = .none) -> [UInt8]? {
        var octets: [UInt8] = []
        octets.reserveCapacity(text.utf8.count / 4 * 3)
        var group: UInt32 = 0
        var (bits, symbols, paddings) = (0, 0, 0)
        for symbol in text.utf8 {
            if symbol == padding {
                paddings += 1
                continue
            }
            guard paddings == 0, let value = value(of: symbol) else { return nil }
            symbols += 1
            group = group << 6 | value
            bits += 6
            if bits >= 8 {
                bits -= 8
                octets.append(UInt8(truncatingIfNeeded: group >> UInt32(bits)))
            }
        }
        guard bits < 6 else { return nil }  // a single symbol has only 6 bits
        let isExact = paddings == (4 - symbols % 4) % 4 && group & ((1 << UInt32(bits)) - 1) == 0
        return isExact || tolerance == .padding ? octets : nil
    }

    private static let padding = UInt8(ascii: "=")

    /// The symbol of the low six bits.
    private static func symbol(of group: UInt32) -> UInt8 {
        let value = UInt8(truncatingIfNeeded: group & 0x3F)
        return switch value {
        case 0..<26: UInt8(ascii: "A") + value
        case 26..<52: UInt8(ascii: "a") + (value - 26)
        case 52..<62: UInt8(ascii: "0") + (value - 52)
        case 62: UInt8(ascii: "+")
        default: UInt8(ascii: "/")
        }
    }

    private static func value(of symbol: UInt8) -> UInt32? {
        switch symbol {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): UInt32(symbol - UInt8(ascii: "A"))
        case UInt8(ascii: "a")...UInt8(ascii: "z"): UInt32(symbol - UInt8(ascii: "a")) + 26
        case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(symbol - UInt8(ascii: "0")) + 52
        case UInt8(ascii: "+"): 62
        case UInt8(ascii: "/"): 63
        default: nil
        }
    }
}
