// SPDX-License-Identifier: Apache-2.0

/// A JSON text (RFC 8259) as a value. Integers are exact: `1` is an integer, `1.0` and `1e0` are numbers.
///
/// Keys of an object that differ only in Unicode normalisation are the same key, because Swift compares strings so.
public enum JSONValue: Hashable, Sendable {
    case null
    case bool(Bool)
    case integer(Int64)
    /// Written as `null` when it is not finite; parsing never yields such a number.
    case number(Double)
    case string(String)
    case array([JSONValue])
    case object([String: JSONValue])

    /// The kind of value, for messages: "an object", "null"…
    public var kind: StaticString {
        switch self {
        case .null: "null"
        case .bool: "a boolean"
        case .integer: "an integer"
        case .number: "a number"
        case .string: "a string"
        case .array: "an array"
        case .object: "an object"
        }
    }
}

extension JSONValue: CustomStringConvertible {
    public var description: String { text() }
}

extension JSONValue {
    /// The value as JSON text. Keys are sorted, so that equal values have equal texts.
    /// - Parameter pretty: one value per line, indented by two spaces, with a line feed at the end.
    public func text(pretty: Bool = false) -> String { String(decoding: octets(pretty: pretty), as: UTF8.self) }

    /// `text` in UTF-8.
    public func octets(pretty: Bool = false) -> [UInt8] {
        var writer = JSONWriter(isPretty: pretty)
        writer.write(self)
        if pretty { writer.octets.append(UInt8(ascii: "\n")) }
        return writer.octets
    }
}

extension JSONValue {
    /// - Throws: `JSONError` unless the whole of `text` is one value within the limits.
    public static func parse(_ text: String, limits: JSONLimits = JSONLimits()) throws(JSONError) -> JSONValue {
        var text = text
        return try text.withUTF8 { utf8 in
            Result { () throws(JSONError) in try parse(UnsafeRawBufferPointer(utf8), limits: limits) }
        }.get()
    }

    public static func parse(_ octets: [UInt8], limits: JSONLimits = JSONLimits()) throws(JSONError) -> JSONValue {
        try octets.withUnsafeBytes { bytes in
            Result { () throws(JSONError) in try parse(bytes, limits: limits) }
        }.get()
    }

    /// Borrows `bytes` for the call only.
    public static func parse(
        _ bytes: UnsafeRawBufferPointer, limits: JSONLimits = JSONLimits()
    ) throws(JSONError) -> JSONValue {
        var parser = JSONParser(bytes, limits: limits)
        do {
            return try parser.parseText()
        } catch {
            throw error.located(in: bytes)
        }
    }
}
