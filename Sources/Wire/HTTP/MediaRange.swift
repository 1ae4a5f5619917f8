// SPDX-License-Identifier: Apache-2.0

/// A media range of an `Accept` field (RFC 9110 §12.5.1), or the value of `Content-Type`, without parameters.
public struct MediaRange: Equatable, Sendable {
    /// Type in lower case, as is `subtype`.
    public let type: String
    public let subtype: String
    /// Quality in thousandths, 0...1000.
    public let quality: Int

    /// Number of ranges read; more than any client sends.
    private static let rangeLimit = 64

    /// The well-formed ranges of a field; others are skipped.
    public static func list(_ field: String) -> [MediaRange] {
        field.split(separator: ",", maxSplits: rangeLimit).prefix(rangeLimit).compactMap { MediaRange(part: $0) }
    }

    /// Nil if the text is not `type/subtype`, with or without parameters.
    public init?(_ text: String) { self.init(part: Substring(text)) }

    private init?(part: Substring) {
        let parts = part.split(separator: ";", maxSplits: 16, omittingEmptySubsequences: false).map(Self.trimmed)
        let names = parts[0].split(separator: "/", omittingEmptySubsequences: false)
        guard names.count == 2, names.allSatisfy({ !$0.isEmpty && $0.utf8.allSatisfy(Self.isToken) }) else {
            return nil
        }
        type = names[0].lowercased()
        subtype = names[1].lowercased()
        var quality = 1_000
        for parameter in parts.dropFirst() where parameter.lowercased().hasPrefix("q=") {
            quality = Self.thousandths(parameter.dropFirst(2)) ?? 0
        }
        self.quality = quality
    }

    /// How specifically this range matches `type/subtype`: 2 exactly, 1 as `type/*`, 0 as `*/*`; nil if it does not
    /// match.
    public func exactness(to type: String, _ subtype: String) -> Int? {
        if self.type == type { return self.subtype == subtype ? 2 : self.subtype == "*" ? 1 : nil }
        return self.type == "*" && self.subtype == "*" ? 0 : nil
    }

    /// Whether the octet is allowed in a token (RFC 9110 §5.6.2).
    private static func isToken(_ octet: UInt8) -> Bool {
        (0x30...0x39).contains(octet) || (0x41...0x5a).contains(octet) || (0x61...0x7a).contains(octet)
            || "!#$%&'*+-.^_`|~".utf8.contains(octet)
    }

    /// A quality value such as `0`, `0.5` or `1.000` in thousandths; nil if it cannot be read.
    private static func thousandths(_ text: Substring) -> Int? {
        let parts = text.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
        guard let whole = Int(parts[0]), (0...1).contains(whole) else { return nil }
        let digits = parts.count > 1 ? parts[1] : ""
        guard digits.utf8.count <= 3, digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        let fraction = digits.isEmpty ? 0 : Int(digits + String(repeating: "0", count: 3 - digits.utf8.count)) ?? 0
        return min(1_000, whole * 1_000 + fraction)
    }

    private static func trimmed(_ text: Substring) -> Substring {
        var text = text
        while text.first == " " || text.first == "\t" { text.removeFirst() }
        while text.last == " " || text.last == "\t" { text.removeLast() }
        return text
    }
}
