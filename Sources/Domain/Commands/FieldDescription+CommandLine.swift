// SPDX-License-Identifier: Apache-2.0
import JSON
import Shapes

/// The form of arguments and options on a command line.
extension FieldDescription {
    /// An option that only the client interprets. It is not sent to the service.
    public static func clientOption(_ name: String, _ type: ValueKind, _ help: String) -> FieldDescription {
        var field = FieldDescription(name, type, .optional, help)
        field.place = .clientOption
        return field
    }

    /// An option of a command that is described without a Swift type.
    public static func option(_ name: String, _ type: ValueKind, _ help: String) -> FieldDescription {
        var field = FieldDescription(name, type, .optional, help)
        field.place = .option
        return field
    }

    /// The option on a command line, for example `--pixels-per-second` for `pixelsPerSecond`.
    public var optionWord: String { "--" + words }

    /// The word that stands for the value in help.
    public var placeholder: String { words.uppercased() }

    private var words: String {
        name.reduce(into: "") { $0 += $1.isUppercase ? "-" + $1.lowercased() : String($1) }
    }

    /// Whether the option takes no value.
    public var isFlag: Bool { type.isBoolean }

    var isInteger: Bool {
        if case .integer = type { true } else { false }
    }

    /// Converts a word of a command line to a JSON value of the field's type where it has that form, else to a text.
    /// The value is not checked.
    public func value(of word: String) -> JSONValue { Self.value(of: word, as: type) }

    private static func value(of word: String, as type: ValueKind) -> JSONValue {
        switch type {
        case .integer: Int64(word).map { .integer($0) } ?? .string(word)
        case .boolean: word == "true" ? true : word == "false" ? false : .string(word)
        // A word that is not JSON becomes a text, which the later check refuses.
        case .number, .list, .map, .record: (try? JSONValue.parse(word)) ?? .string(word)
        // An argument that is null counts as absent. `null` is a text, because it is a value of some settings.
        case .anything: word == "null" ? .string(word) : (try? JSONValue.parse(word)) ?? .string(word)
        case .wordOr(let words, let kind): words.contains(word) ? .string(word) : value(of: word, as: kind)
        case .nullable(let kind), .textOr(_, let kind): value(of: word, as: kind)
        case .text, .formatted, .choice: .string(word)
        }
    }

    /// Converts the text after `=` in a query to a JSON value. The value is not checked. An integer has to be written
    /// as JSON writes it; other spellings, such as `+1`, become a text.
    public func value(ofQuery text: String) -> JSONValue {
        let value = value(of: text)
        if let number = value.integer, String(number) != text { return .string(text) }
        return value
    }
}
