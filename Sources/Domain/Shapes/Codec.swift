// SPDX-License-Identifier: Apache-2.0
import JSON

/// Converts between a Swift value and JSON. It holds closures instead of being a protocol, because one type has several
/// codecs, such as `integer(0...100)` and `integer(1...9)`.
public struct Codec<Value>: Sendable {
    public let kind: ValueKind
    /// Returns nil if the JSON cannot be converted. Ranges and lengths are checked by `kind` alone.
    public let decode: @Sendable (JSONValue) -> Value?
    public let encode: @Sendable (Value) -> JSONValue

    public init(
        _ kind: ValueKind, decode: @escaping @Sendable (JSONValue) -> Value?,
        encode: @escaping @Sendable (Value) -> JSONValue
    ) {
        self.kind = kind
        self.decode = decode
        self.encode = encode
    }
}

extension Codec where Value == Bool {
    public static var boolean: Codec { Codec(.boolean, decode: { $0.bool }, encode: { .bool($0) }) }
}

extension Codec where Value: FixedWidthInteger & Sendable {
    public static func integer(_ range: ClosedRange<Value>) -> Codec {
        Codec(
            .integer(Int64(clamping: range.lowerBound)...Int64(clamping: range.upperBound)),
            decode: { $0.integer.map { Value(clamping: $0) } }, encode: { .integer(Int64(clamping: $0)) })
    }

    /// An integer from 0 to the largest of the type.
    public static var count: Codec { integer(0...Value.max) }

    /// Any integer of the type.
    public static var integer: Codec { integer(Value.min...Value.max) }
}

extension Codec where Value == Double {
    public static var number: Codec { Codec(.number, decode: { $0.number }, encode: { .number($0) }) }
}

extension Codec where Value == String {
    public static func text(_ length: ClosedRange<Int>) -> Codec {
        Codec(.text(length), decode: { $0.string }, encode: { .string($0) })
    }

    /// A text in which line feeds are the only control characters; the range bounds its length in code points.
    public static func lines(_ length: ClosedRange<Int>) -> Codec {
        let schema: [String: JSONValue] = [
            "minLength": .integer(Int64(length.lowerBound)), "maxLength": .integer(Int64(length.upperBound)),
            "pattern": #"^[^\u0000-\u0009\u000b-\u001f\u007f-\u009f]*$"#,
        ]
        let expectation = "a text of \(length.lowerBound)...\(length.upperBound) characters, line feeds among them"
        let format = TextFormat(expectation, schema: schema) { text in
            length.contains(text.unicodeScalars.count)
                && text.unicodeScalars.allSatisfy { $0 == "\n" || $0.properties.generalCategory != .control }
        }
        return Codec(.formatted(format), decode: { $0.string }, encode: { .string($0) })
    }

    /// A text of an answer. It may come from other machines and have any length and any characters.
    public static var text: Codec {
        let any = TextFormat("a text", schema: [:]) { _ in true }
        return Codec(.formatted(any), decode: { $0.string }, encode: { .string($0) })
    }

    public static func formatted(_ format: TextFormat) -> Codec {
        Codec(.formatted(format), decode: { $0.string }, encode: { .string($0) })
    }

    /// One of these words, for words that have no Swift type.
    public static func choice(_ words: [String]) -> Codec {
        Codec(.choice(words), decode: { $0.string }, encode: { .string($0) })
    }
}

extension Codec where Value == JSONValue {
    public static var anything: Codec { Codec(.anything, decode: { $0 }, encode: { $0 }) }
}

extension Codec where Value: RawRepresentable & CaseIterable & Sendable, Value.RawValue == String {
    public static var choice: Codec {
        Codec(
            .choice(Value.allCases.map(\.rawValue)), decode: { $0.string.flatMap { Value(rawValue: $0) } },
            encode: { .string($0.rawValue) })
    }
}

extension Codec where Value: Sendable {
    /// A text that `parse` understands, such as an address.
    public static func formatted(
        _ format: TextFormat, parse: @escaping @Sendable (String) -> Value?,
        text: @escaping @Sendable (Value) -> String
    ) -> Codec {
        Codec(.formatted(format), decode: { $0.string.flatMap(parse) }, encode: { .string(text($0)) })
    }

    /// A value that may be null, which stands for nil.
    public static func optional<Wrapped: Sendable>(_ codec: Codec<Wrapped>) -> Codec where Value == Wrapped? {
        Codec(
            .nullable(codec.kind), decode: { $0.isNull ? .some(nil) : codec.decode($0).map { .some($0) } },
            encode: { $0.map(codec.encode) ?? .null })
    }

    /// A field that may be absent, and is nil then.
    public static func absentOr<Wrapped: Sendable>(_ codec: Codec<Wrapped>) -> Codec where Value == Wrapped? {
        Codec(
            codec.kind, decode: { codec.decode($0).map { .some($0) } }, encode: { $0.map(codec.encode) ?? .null })
    }

    /// A list; the range bounds the number of its elements.
    public static func list<Element: Sendable>(
        of codec: Codec<Element>, _ count: ClosedRange<Int> = 0...Int.max
    ) -> Codec where Value == [Element] {
        Codec(
            .list(of: codec.kind, count), decode: { $0.array?.compactMap(codec.decode) },
            encode: { .array($0.map(codec.encode)) })
    }

    /// An object whose keys the writer chooses.
    public static func map<Element: Sendable>(of codec: Codec<Element>) -> Codec where Value == [String: Element] {
        Codec(
            .map(of: codec.kind), decode: { $0.object?.compactMapValues(codec.decode) },
            encode: { .object($0.mapValues(codec.encode)) })
    }
}

extension Codec where Value == String? {
    /// A text whose empty form stands for nil.
    public static func emptyOr(_ kind: ValueKind) -> Codec {
        Codec(
            kind, decode: { $0.string.map { $0.isEmpty ? nil : $0 } },
            encode: { .string($0 ?? "") })
    }
}

extension Codec where Value: Record {
    /// An element of a list of settings.
    public static var record: Codec {
        Codec(Value.kind, decode: { Value(reading: $0) }, encode: { $0.json })
    }
}

extension Codec where Value: Answer {
    /// A row of an answer or of an event, which is only written.
    public static var row: Codec {
        Codec(.record(Value.descriptions), decode: { _ in nil }, encode: { $0.json })
    }
}
