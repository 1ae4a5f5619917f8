// SPDX-License-Identifier: Apache-2.0
import Bytes

/// What stands behind `a=fmtp:<payload type>`: `name=value` pairs between semicolons, as most payload formats have it.
public struct FormatParameters: Equatable, Sendable {
    static let most = 64

    /// Names in lower case: VLC and ffmpeg do not agree on theirs (`SizeLength`, `sizelength`). Of two the first counts.
    private let values: [String: String]

    public init() { values = [:] }

    public init(_ text: some StringProtocol) {
        var values: [String: String] = [:]
        for piece in text.split(separator: ";").prefix(Self.most) {
            let pair = piece.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            let name = pair[0].trimmed.lowercased()
            guard !name.isEmpty, values[name] == nil else { continue }
            values[name] = pair.count > 1 ? String(pair[1].trimmed) : ""
        }
        self.values = values
    }

    public var isEmpty: Bool { values.isEmpty }

    /// - Parameter name: in any case. The value of a name without one is "".
    public subscript(name: String) -> String? { values[name.lowercased()] }

    public func integer(_ name: String) -> Int? { self[name].flatMap { Int($0) } }

    /// As MPEG-4's `config` (RFC 3640 §4.1, RFC 6416 §7.1): nil when absent, odd or not hexadecimal.
    public func hexadecimal(_ name: String) -> [UInt8]? {
        guard let digits = self[name]?.utf8, digits.count % 2 == 0 else { return nil }
        var octets: [UInt8] = []
        var high: UInt8?
        for digit in digits {
            guard let value = Character(Unicode.Scalar(digit)).hexDigitValue.map({ UInt8($0) }) else { return nil }
            if let first = high {
                octets.append(first << 4 | value)
                high = nil
            } else {
                high = value
            }
        }
        return octets
    }

    /// As `sprop-parameter-sets` (RFC 6184 §8.1) and HEVC's `sprop-vps`: base64 between commas. Nil when absent or when
    /// one of them is none.
    public func base64List(_ name: String) -> [[UInt8]]? {
        guard let text = self[name] else { return nil }
        var list: [[UInt8]] = []
        for piece in text.split(separator: ",") {
            guard let octets = Base64.decode(piece, tolerating: .padding) else { return nil }
            list.append(octets)
        }
        return list
    }
}

extension StringProtocol {
    /// Without spaces and tabs at either end.
    var trimmed: SubSequence {
        let isBlank = { (character: Character) in character == " " || character == "\t" }
        let rest = drop(while: isBlank)
        guard let last = rest.lastIndex(where: { !isBlank($0) }) else { return rest }
        return rest[...last]
    }
}
