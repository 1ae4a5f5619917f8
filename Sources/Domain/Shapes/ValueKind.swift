// SPDX-License-Identifier: Apache-2.0
import JSON

/// The values that a JSON member may hold. It describes settings, arguments, answers and events. Checks, schemas,
/// defaults, help, completion and redaction work with it, without the Swift types.
public indirect enum ValueKind: Sendable {
    /// Any JSON value.
    case anything
    case boolean
    case integer(ClosedRange<Int64>)
    /// A number, with or without a fraction.
    case number
    /// A text without control characters; the range bounds its length in code points.
    case text(ClosedRange<Int>)
    case formatted(TextFormat)
    case choice([String])
    /// An array; the range bounds the number of its elements.
    case list(of: ValueKind, ClosedRange<Int>)
    /// An object whose keys the writer chooses. A key consists of 1 to 64 ASCII letters, digits, `_` and `-`.
    case map(of: ValueKind)
    /// An object with these members and no others.
    case record([FieldDescription])
    /// One of these words, or a value of the other kind, which must not be a text.
    case wordOr([String], ValueKind)
    /// A text as of `text`, or a value of the other kind, which must not be a text.
    case textOr(ClosedRange<Int>, ValueKind)
    /// null, or a value of this kind.
    case nullable(ValueKind)

    /// A phrase that completes the sentence "expected …" in messages and manuals.
    public var expectation: String {
        switch self {
        case .anything: "a JSON value"
        case .boolean: "true or false"
        case .integer(let range):
            range.upperBound == .max
                ? "an integer from \(range.lowerBound)" : "an integer, \(range.lowerBound)...\(range.upperBound)"
        case .number: "a number"
        case .text(let length): "a text of \(length.lowerBound)...\(length.upperBound) characters"
        case .formatted(let format): format.expectation
        case .choice(let choices): "one of " + choices.joined(separator: ", ")
        case .list(_, let count): "an array of \(count.lowerBound)...\(count.upperBound) elements"
        case .map, .record: "an object"
        case .wordOr(let words, let kind):
            words.count == 1
                ? "\(kind.expectation), or \(words[0])"
                : "\(Self.choice(words).expectation), or \(kind.expectation)"
        case .textOr(let length, let kind): "\(kind.expectation), or \(Self.text(length).expectation)"
        case .nullable(let kind): kind.expectation + ", or null"
        }
    }

    /// The words that may be given; empty if the kind has no such words.
    public var choices: [String] {
        switch self {
        case .choice(let choices): choices
        case .wordOr(let words, _): words
        case .nullable(let kind): kind.choices
        default: []
        }
    }

    public var isBoolean: Bool {
        if case .boolean = self { true } else { false }
    }
}

// MARK: Checks

extension ValueKind {
    /// Whether `value` has no problems.
    public func accepts(_ value: JSONValue) -> Bool { problems(of: value).isEmpty }

    /// All errors in `value`, in the order of the description.
    /// - Parameters:
    ///   - path: the RFC 6901 pointer of `value`.
    ///   - isSecret: whether problems leave the value out.
    public func problems(of value: JSONValue, at path: String = "", isSecret: Bool = false) -> [Problem] {
        var problems: [Problem] = []
        check(value, at: path, isSecret: isSecret, into: &problems)
        return problems
    }

    private func check(_ value: JSONValue, at path: String, isSecret: Bool, into problems: inout [Problem]) {
        if !isOuterFormRight(of: value) {
            return problems.append(Problem(path: path, value: isSecret ? nil : value, expectation: expectation))
        }
        switch self {
        case .list(let element, _):
            for (index, each) in (value.array ?? []).enumerated() {
                element.check(each, at: "\(path)/\(index)", isSecret: isSecret, into: &problems)
            }
        case .map(let element):
            for (key, each) in (value.object ?? [:]).sorted(by: { $0.key < $1.key }) {
                let path = "\(path)/\(JSONValue.pointerToken(key))"
                if !Self.isMapKey(key) {
                    problems.append(
                        Problem(path: path, expectation: "a name of 1 to 64 letters a-z and A-Z, digits, _ and -"))
                } else if !each.isNull {
                    element.check(each, at: path, isSecret: isSecret, into: &problems)
                }
            }
        case .record(let fields):
            Self.check(value.object ?? [:], of: fields, at: path, isSecret: isSecret, into: &problems)
        case .wordOr(_, let kind), .textOr(_, let kind):
            if value.string == nil { kind.check(value, at: path, isSecret: isSecret, into: &problems) }
        case .nullable(let kind):
            if !value.isNull { kind.check(value, at: path, isSecret: isSecret, into: &problems) }
        case .anything, .boolean, .integer, .number, .text, .formatted, .choice: break
        }
    }

    /// Whether `value` is acceptable if its elements and members are disregarded.
    private func isOuterFormRight(of value: JSONValue) -> Bool {
        switch self {
        case .anything: true
        case .boolean: value.bool != nil
        case .integer(let range): value.integer.map(range.contains) ?? false
        case .number: value.number != nil || value.integer != nil
        case .text(let length):
            value.string.map { text in
                length.contains(text.unicodeScalars.count)
                    && text.unicodeScalars.allSatisfy { $0.value >= 0x20 && !(0x7f...0x9f).contains($0.value) }
            } ?? false
        case .formatted(let format): value.string.map(format.accepts) ?? false
        case .choice(let choices): value.string.map(choices.contains) ?? false
        case .list(_, let count): value.array.map { count.contains($0.count) } ?? false
        case .map, .record: value.object != nil
        case .wordOr(let words, let kind): value.string.map(words.contains) ?? kind.isOuterFormRight(of: value)
        case .textOr(let length, let kind):
            (value.string == nil ? kind : .text(length)).isOuterFormRight(of: value)
        case .nullable: true
        }
    }

    private static func check(
        _ members: [String: JSONValue], of fields: [FieldDescription], at path: String, isSecret: Bool,
        into problems: inout [Problem]
    ) {
        for field in fields {
            let path = "\(path)/\(JSONValue.pointerToken(field.name))"
            if let value = members[field.name], !value.isNull || field.takesNull {
                field.type.check(value, at: path, isSecret: isSecret || field.isSecret, into: &problems)
            } else if field.isRequired {
                problems.append(Problem(path: path, expectation: field.type.expectation))
            }
        }
        let names = fields.map(\.name)
        for key in members.keys.sorted() where !names.contains(key) {
            problems.append(
                Problem(
                    path: "\(path)/\(JSONValue.pointerToken(key))", isUnknown: true,
                    expectation: "one of " + names.sorted().joined(separator: ", ")))
        }
    }

    private static func isMapKey(_ key: String) -> Bool {
        (1...64).contains(key.utf8.count)
            && key.unicodeScalars.allSatisfy { scalar in
                switch scalar {
                case "a"..."z", "A"..."Z", "0"..."9", "_", "-": true
                default: false
                }
            }
    }
}
