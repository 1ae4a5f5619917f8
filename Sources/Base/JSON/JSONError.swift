// SPDX-License-Identifier: Apache-2.0

/// Why a text is not JSON within the limits, and where.
public struct JSONError: Error, Equatable, Sendable, CustomStringConvertible {
    public enum Reason: Equatable, Sendable {
        /// The text ends where this is expected.
        case truncated(expected: String)
        case unexpected(octet: UInt8, expected: String)
        /// The octets are not well-formed UTF-8: an overlong form, a surrogate, a code point above U+10FFFF or an octet
        /// that UTF-8 never has.
        case invalidUTF8
        /// U+0000…U+001F stands unescaped inside a string.
        case controlCharacter(UInt8)
        /// A `\u` escape is one half of a surrogate pair, without the other half.
        case loneSurrogate
        /// The integer does not fit an Int64, or the number is not finite as a Double. Neither is rounded silently.
        case numberOutOfRange
        case duplicateKey(String)
        case tooDeep(limit: Int)
        case tooLong(limit: Int)
        case tooManyValues(limit: Int)
    }

    public let reason: Reason
    /// Octets from the start of the text.
    public let offset: Int
    /// Line, counted from 1.
    public private(set) var line = 1
    /// Column in code points, counted from 1.
    public private(set) var column = 1
    /// RFC 6901 pointer to the value that could not be read; `""` is the whole text.
    public private(set) var path = ""

    init(_ reason: Reason, at offset: Int) {
        self.reason = reason
        self.offset = offset
    }

    /// The same error with `token` put in front of its path: the token of the value in the container that holds it.
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
