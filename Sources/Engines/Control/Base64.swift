// SPDX-License-Identifier: Apache-2.0

/// RFC 4648 §4 with padding: pictures inside JSON.
public enum Base64 {
    private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
    private static let padding = UInt8(ascii: "=")

    public static func encode(_ octets: [UInt8]) -> String {
        var text: [UInt8] = []
        text.reserveCapacity((octets.count + 2) / 3 * 4)
        for start in stride(from: 0, to: octets.count, by: 3) {
            let count = min(3, octets.count - start)
            var group: UInt32 = 0
            for index in 0..<3 { group = group << 8 | (index < count ? UInt32(octets[start + index]) : 0) }
            for index in 0..<4 {
                text.append(index <= count ? alphabet[Int(group >> UInt32(18 - 6 * index) & 0x3f)] : padding)
            }
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// Nil unless `text` is what `encode` writes.
    public static func decode(_ text: String) -> [UInt8]? {
        let symbols = Array(text.utf8)
        guard symbols.count % 4 == 0 else { return nil }
        let paddingCount = symbols.reversed().prefix(2).prefix { $0 == padding }.count
        var octets: [UInt8] = []
        octets.reserveCapacity(symbols.count / 4 * 3)
        var group: UInt32 = 0
        for (index, symbol) in symbols.enumerated() {
            let isPadding = index >= symbols.count - paddingCount
            guard let value = isPadding ? 0 : value(of: symbol) else { return nil }
            group = group << 6 | value
            if index % 4 == 3 {
                octets += [UInt8(truncatingIfNeeded: group >> 16), UInt8(truncatingIfNeeded: group >> 8)]
                octets.append(UInt8(truncatingIfNeeded: group))
            }
        }
        guard octets.suffix(paddingCount).allSatisfy({ $0 == 0 }) else { return nil }
        octets.removeLast(paddingCount)
        return octets
    }

    private static func value(of symbol: UInt8) -> UInt32? {
        switch symbol {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): UInt32(symbol) - 65
        case UInt8(ascii: "a")...UInt8(ascii: "z"): UInt32(symbol) - 97 + 26
        case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(symbol) - 48 + 52
        case UInt8(ascii: "+"): 62
        case UInt8(ascii: "/"): 63
        default: nil
        }
    }
}
