// SPDX-License-Identifier: Apache-2.0

/// Why bytes from outside could not be read, and where.
public struct WireError: Error, Equatable, Sendable, CustomStringConvertible {
    public enum Reason: Equatable, Sendable {
        /// Fewer octets (bits for `BitReader`) are left than the field needs.
        case truncated(needed: Int, available: Int)
        /// The field holds a value that its standard forbids.
        case invalid(StaticName, UInt64)
        /// The value is valid by its standard, but this implementation does not read it.
        case unsupported(StaticName, UInt64)
        /// A count or a length is above this implementation's limit.
        case limit(StaticName, UInt64)
    }

    public let reason: Reason
    /// Octets from the start of the buffer given to the parser.
    public let offset: Int

    @inlinable
    public init(_ reason: Reason, at offset: Int) {
        self.reason = reason
        self.offset = offset
    }

    public var description: String {
        switch reason {
        case .truncated(let needed, let available):
            "truncated at octet \(offset): \(needed) needed, \(available) there"
        case .invalid(let field, let value): "\(field) \(value) is invalid at octet \(offset)"
        case .unsupported(let field, let value): "\(field) \(value) is not supported at octet \(offset)"
        case .limit(let field, let value): "\(field) \(value) is above its limit at octet \(offset)"
        }
    }
}

/// A field's name. It is a literal, so that making an error allocates nothing.
public struct StaticName: Equatable, Sendable, ExpressibleByStringLiteral, CustomStringConvertible {
    private let text: StaticString

    public init(stringLiteral text: StaticString) { self.text = text }

    public var description: String { text.description }

    public static func == (left: StaticName, right: StaticName) -> Bool { left.description == right.description }
}
