// SPDX-License-Identifier: Apache-2.0
import JSON
import Shapes

/// An argument or an option as a command line has it.
extension FieldDescription {
    /// An option that the client keeps for itself.
    public static func clientOption(_ name: String, _ type: ValueKind, _ help: String) -> FieldDescription {
        var field = FieldDescription(name, type, .optional, help)
        field.place = .clientOption
        return field
    }

    /// An option of a command without a Swift type.
    public static func option(_ name: String, _ type: ValueKind, _ help: String) -> FieldDescription {
        var field = FieldDescription(name, type, .optional, help)
        field.place = .option
        return field
    }

    /// `--pixels-per-second` for `pixelsPerSecond`.
    public var optionWord: String { "--" + words }

    /// Stands for the value in help.
    public var placeholder: String { words.uppercased() }

    private var words: String {
        name.reduce(into: "") { $0 += $1.isUppercase ? "-" + $1.lowercased() : String($1) }
    }

    /// An option without a value.
    public var isFlag: Bool { type.isBoolean }

    var isInteger: Bool {
        if case .integer = type { true } else { false }
    }

    /// A word of a command line as the value that JSON carries; whether it is accepted is another question.
    public func value(of word: String) -> JSONValue { Self.value(of: word, as: type) }

    private static func value(of word: String, as type: ValueKind) -> JSONValue {
        switch type {
        case .integer: Int64(word).map { .integer($0) } ?? .string(word)
        case .boolean: word == "true" ? true : word == "false" ? false : .string(word)
        // A word that is no JSON is refused as the text that it is.
        case .number, .list, .map, .record, .anything: (try? JSONValue.parse(word)) ?? .string(word)
        case .wordOr(let words, let kind): words.contains(word) ? .string(word) : value(of: word, as: kind)
        case .nullable(let kind): value(of: word, as: kind)
        case .text, .formatted, .choice: .string(word)
        }
    }

    /// The text behind `=` in a query as the value that JSON carries; whether it is accepted is another question.
    /// Integers stand there as JSON writes them.
    public func value(ofQuery text: String) -> JSONValue {
        let value = value(of: text)
        if let number = value.integer, String(number) != text { return .string(text) }
        return value
    }
}
