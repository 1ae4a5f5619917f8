// SPDX-License-Identifier: Apache-2.0

extension JSONValue {
    public var isNull: Bool { self == .null }

    public var bool: Bool? {
        if case .bool(let value) = self { value } else { nil }
    }

    /// The value of an integer, or of a number without a fraction that fits: JSON Schema counts `1.0` as an integer
    /// too. Nil for any other value.
    public var integer: Int64? {
        switch self {
        case .integer(let value): value
        case .number(let value): Int64(exactly: value)
        default: nil
        }
    }

    /// The value of an integer or a number; an integer beyond 2^53 is rounded. Nil for any other value.
    public var number: Double? {
        switch self {
        case .integer(let value): Double(value)
        case .number(let value): value
        default: nil
        }
    }

    public var string: String? {
        if case .string(let value) = self { value } else { nil }
    }

    public var array: [JSONValue]? {
        if case .array(let value) = self { value } else { nil }
    }

    public var object: [String: JSONValue]? {
        if case .object(let value) = self { value } else { nil }
    }

    /// A member of an object; nil when there is none or this is not an object. Setting nil removes the member. Setting
    /// a member of a value that is not an object replaces that value by an object.
    public subscript(key: String) -> JSONValue? {
        get {
            if case .object(let members) = self { members[key] } else { nil }
        }
        set {
            var members = object ?? [:]
            members[key] = newValue
            self = .object(members)
        }
    }

    /// The value that an RFC 6901 pointer names: `""` is this value, `/channels/0/name` is inside it. Nil when there is
    /// no such value or the text is not a pointer.
    public func at(_ pointer: String) -> JSONValue? {
        guard let keys = Self.keys(of: pointer) else { return nil }
        var value = self
        for name in keys {
            switch value {
            case .object(let members):
                guard let member = members[name] else { return nil }
                value = member
            case .array(let elements):
                guard let index = Self.index(name), index < elements.count else { return nil }
                value = elements[index]
            default: return nil
            }
        }
        return value
    }

    /// The keys and indices that an RFC 6901 pointer is made of, without its escapes. Nil when the text is not a pointer.
    public static func keys(of pointer: String) -> [String]? {
        guard !pointer.isEmpty else { return [] }
        guard pointer.utf8.first == UInt8(ascii: "/") else { return nil }
        var keys: [String] = []
        for token in pointer.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false).dropFirst() {
            guard let key = unescaped(token) else { return nil }
            keys.append(key)
        }
        return keys
    }

    /// The reference token of a key: `~` and `/` are escaped (RFC 6901 §3).
    public static func pointerToken(_ key: String) -> String {
        var token = ""
        for character in key.unicodeScalars {
            switch character {
            case "~": token += "~0"
            case "/": token += "~1"
            default: token.unicodeScalars.append(character)
            }
        }
        return token
    }

    private static func unescaped(_ token: Substring.UTF8View) -> String? {
        var octets: [UInt8] = []
        var rest = token.makeIterator()
        while let octet = rest.next() {
            guard octet == UInt8(ascii: "~") else {
                octets.append(octet)
                continue
            }
            switch rest.next() {
            case UInt8(ascii: "0"): octets.append(UInt8(ascii: "~"))
            case UInt8(ascii: "1"): octets.append(UInt8(ascii: "/"))
            default: return nil
            }
        }
        return String(decoding: octets, as: UTF8.self)
    }

    /// The array index that a token names: digits without leading zeros (RFC 6901 §4). Nil for any other token.
    private static func index(_ token: String) -> Int? {
        guard token == "0" || token.utf8.first.map({ (0x31...0x39).contains($0) }) == true else { return nil }
        return Int(token)
    }
}
