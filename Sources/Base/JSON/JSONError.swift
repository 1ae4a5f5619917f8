// SPDX-License-Identifier: Apache-2.0

/// Why a text is not JSON that we read, and where.
public struct JSONError: Error, Equatable, Sendable, CustomStringConvertible {
    public enum Reason: Equatable, Sendable {
        /// The text ends before this.
        case truncated(expected: String)
        case unexpected(octet: UInt8, expected: String)
        /// Octets that no UTF-8 has, an overlong form, a surrogate or a code point above U+10FFFF.
        case invalidUTF8
        /// U+0000…U+001F inside a string, which must be escaped.
        case controlCharacter(UInt8)
        /// A `\u` escape of one half of a surrogate pair without the other.
        case loneSurrogate
        /// An integer that Int64 does not hold, or a number that is not finite as a Double. Never rounded silently.
        case numberOutOfRange
        case duplicateKey(String)
        case tooDeep(limit: Int)
        case tooLong(limit: Int)
        case tooManyValues(limit: Int)
    }

    public let reason: Reason
    /// Octets from the start of the text.
    public let offset: Int
    /// From 1.
    public private(set) var line = 1
    /// From 1, in code points.
    public private(set) var column = 1
    /// RFC 6901 pointer to the value that could not be read; `""` is the whole text.
    public private(set) var path = ""

    init(_ reason: Reason, at offset: Int) {
        self.reason = reason
        self.offset = offset
    }

    /// The same failure, seen from the container that holds the value under `token`.
    func inside(_ token: String) -> JSONError {
        var outer = self
        outer.path = "/\(token)\(path)"
        return outer
    }

    func located(in bytes: UnsafeRawBufferPointer) -> JSONError {
        var located = self
        for octet in bytes.prefix(offset) {
            if octet == UInt8(ascii: "\n") {
                located.line += 1
                located.column = 1
            } else if octet & 0xc0 != 0x80 {
                located.column += 1
            }
        }
        return located
    }

    public var description: String {
        "line \(line), column \(column)\(path.isEmpty ? "" : ", at \(path)"): \(reason)"
    }
}

extension JSONError.Reason: CustomStringConvertible {
    public var description: String {
        switch self {
        case .truncated(let expected): "the text ends where \(expected) is expected"
        case .unexpected(let octet, let expected): "\(Self.name(octet)) where \(expected) is expected"
        case .invalidUTF8: "not UTF-8"
        case .controlCharacter(let octet): "control character \(Self.name(octet)) in a string, where \\u is expected"
        case .loneSurrogate: "half of a surrogate pair"
        case .numberOutOfRange: "a number out of range (integers: 64 bits with sign)"
        case .duplicateKey(let key): "the key '\(key)' is there twice"
        case .tooDeep(let limit): "more than \(limit) arrays and objects inside one another"
        case .tooLong(let limit): "longer than \(limit) octets"
        case .tooManyValues(let limit): "more than \(limit) values"
        }
    }

    private static func name(_ octet: UInt8) -> String {
        guard !(0x21...0x7e).contains(octet) else { return "'\(Unicode.Scalar(octet))'" }
        return "octet 0x" + (octet < 16 ? "0" : "") + String(octet, radix: 16)
    }
}
