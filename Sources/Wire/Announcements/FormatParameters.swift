// SPDX-License-Identifier: Apache-2.0
import Bytes

/// The parameters of `a=fmtp:<payload type>`: `name=value` pairs separated by semicolons, as in most payload formats.
public struct FormatParameters: Equatable, Sendable {
    static let most = 64

    /// Values by name in lower case, because VLC and ffmpeg differ in case (`SizeLength`, `sizelength`). Of two with
    /// one name, the first counts.
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

    /// The value of a parameter: "" if it has a name only, nil if it is absent.
    /// - Parameter name: in upper or lower case.
    public subscript(name: String) -> String? { values[name.lowercased()] }

    public func integer(_ name: String) -> Int? { self[name].flatMap { Int($0) } }

    /// The octets of a hexadecimal parameter, such as MPEG-4's `config` (RFC 3640 §4.1, RFC 6416 §7.1). Nil if it is
    /// absent, has an odd number of digits or is not hexadecimal.
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

    /// The elements of a list of base64 texts separated by commas, such as `sprop-parameter-sets` (RFC 6184 §8.1) and
    /// HEVC's `sprop-vps`. Nil if it is absent or an element is not base64.
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
    /// The text without spaces and tabs at either end.
    var trimmed: SubSequence {
        let isBlank = { (character: Character) in character == " " || character == "\t" }
        let rest = drop(while: isBlank)
        guard let last = rest.lastIndex(where: { !isBlank($0) }) else { return rest }
        return rest[...last]
    }
}
