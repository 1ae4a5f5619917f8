// SPDX-License-Identifier: Apache-2.0
import JSON

/// What a field may hold.
public indirect enum SettingsType: Sendable {
    /// Code points, none of them a control character.
    case text(ClosedRange<Int>)
    case formatted(SettingsFormat)
    case choice([String])
    case integer(ClosedRange<Int64>)
    case boolean
    /// An array; the range is of its elements' number.
    case list(of: SettingsType, ClosedRange<Int>)
    /// An object with keys of the writer's choice, lower case letters and digits.
    case map(of: SettingsType)
    /// An object with these members and no others.
    case group([SettingsField])
    /// One of these words, or else a list.
    case choiceOrList([String], of: SettingsType, ClosedRange<Int>)

    /// In words, for messages and manuals.
    public var expectation: String {
        switch self {
        case .text(let length): "a text of \(length.lowerBound)...\(length.upperBound) characters without control codes"
        case .formatted(let format): format.expectation
        case .choice(let choices): "one of " + choices.map { "\"\($0)\"" }.joined(separator: ", ")
        case .integer(let range): "an integer, \(range.lowerBound)...\(range.upperBound)"
        case .boolean: "true or false"
        case .list(_, let count): "an array of \(count.lowerBound)...\(count.upperBound) elements"
        case .map, .group: "an object"
        case .choiceOrList(let choices, let element, let count):
            "\(Self.choice(choices).expectation), or \(Self.list(of: element, count).expectation)"
        }
    }

    /// What a value of two kinds is meant to be.
    private static func meant(_ value: JSONValue, _ choices: [String], _ list: SettingsType) -> SettingsType {
        value.array == nil ? .choice(choices) : list
    }
}

// MARK: Validation

extension SettingsType {
    /// Appends a problem for each thing that is wrong with `value` at the RFC 6901 pointer `path`.
    func check(_ value: JSONValue, at path: String, isSecret: Bool, into problems: inout [SettingsProblem]) {
        func refuse() {
            problems.append(SettingsProblem(path: path, value: isSecret ? nil : value, expectation: expectation))
        }
        switch self {
        case .text(let length):
            guard let text = value.string, length.contains(text.unicodeScalars.count),
                text.unicodeScalars.allSatisfy({ $0.value >= 0x20 && !(0x7f...0x9f).contains($0.value) })
            else { return refuse() }
        case .formatted(let format):
            guard let text = value.string, format.accepts(text) else { return refuse() }
        case .choice(let choices):
            guard let text = value.string, choices.contains(text) else { return refuse() }
        case .integer(let range):
            guard let number = value.integer, range.contains(number) else { return refuse() }
        case .boolean: if value.bool == nil { refuse() }
        case .list(let element, let count):
            guard let elements = value.array, count.contains(elements.count) else { return refuse() }
            for (index, value) in elements.enumerated() {
                element.check(value, at: "\(path)/\(index)", isSecret: isSecret, into: &problems)
            }
        case .map(let element):
            guard let members = value.object else { return refuse() }
            for (key, value) in members.sorted(by: { $0.key < $1.key }) {
                let path = "\(path)/\(JSONValue.pointerToken(key))"
                if !Self.isMapKey(key) {
                    problems.append(SettingsProblem(path: path, expectation: "a name of a-z and 0-9, 1...32"))
                } else if !value.isNull {
                    element.check(value, at: path, isSecret: isSecret, into: &problems)
                }
            }
        case .group(let fields):
            guard let members = value.object else { return refuse() }
            Self.check(members, of: fields, at: path, isSecret: isSecret, into: &problems)
        case .choiceOrList(let choices, let element, let count):
            guard value.string.map(choices.contains) ?? (value.array != nil) else { return refuse() }
            Self.meant(value, choices, .list(of: element, count))
                .check(value, at: path, isSecret: isSecret, into: &problems)
        }
    }

    private static func check(
        _ members: [String: JSONValue], of fields: [SettingsField], at path: String, isSecret: Bool,
        into problems: inout [SettingsProblem]
    ) {
        for field in fields {
            let path = "\(path)/\(JSONValue.pointerToken(field.name))"
            if let value = members[field.name], !value.isNull {
                field.type.check(value, at: path, isSecret: isSecret || field.isSecret, into: &problems)
            } else if case .required = field.presence {
                problems.append(SettingsProblem(path: path, expectation: field.type.expectation))
            }
        }
        let names = fields.map(\.name)
        for key in members.keys.sorted() where !names.contains(key) {
            problems.append(
                SettingsProblem(
                    path: "\(path)/\(JSONValue.pointerToken(key))", isUnknown: true,
                    expectation: "one of " + names.sorted().joined(separator: ", ")))
        }
    }

    private static func isMapKey(_ key: String) -> Bool {
        (1...32).contains(key.utf8.count)
            && key.utf8.allSatisfy { (0x61...0x7a).contains($0) || (0x30...0x39).contains($0) }
    }
}

// MARK: Defaults and redaction

extension SettingsType {
    /// `value`, which must be valid, with every default that it leaves out.
    func completing(_ value: JSONValue) -> JSONValue {
        switch self {
        case .text, .formatted, .choice, .boolean: return value
        case .integer: return value.integer.map { .integer($0) } ?? value
        case .list(let element, _): return .array((value.array ?? []).map(element.completing))
        case .map(let element):
            return .object((value.object ?? [:]).filter { !$0.value.isNull }.mapValues(element.completing))
        case .group(let fields):
            var members: [String: JSONValue] = [:]
            for field in fields {
                if let written = value[field.name], !written.isNull {
                    members[field.name] = field.type.completing(written)
                } else if case .defaulted(let standard) = field.presence {
                    members[field.name] = field.type.completing(standard)
                }
            }
            return .object(members)
        case .choiceOrList(let choices, let element, let count):
            return Self.meant(value, choices, .list(of: element, count)).completing(value)
        }
    }

    /// `value` with every secret that is there masked; an empty one says that there is none.
    func redacting(_ value: JSONValue) -> JSONValue {
        switch (self, value) {
        case (.group(let fields), .object(var members)):
            for field in fields {
                guard let member = members[field.name] else { continue }
                let isMasked = field.isSecret && !member.isNull && member != ""
                members[field.name] = isMasked ? .string(Self.mask) : field.type.redacting(member)
            }
            return .object(members)
        case (.list(let element, _), .array(let elements)), (.choiceOrList(_, let element, _), .array(let elements)):
            return .array(elements.map(element.redacting))
        case (.map(let element), .object(let members)): return .object(members.mapValues(element.redacting))
        default: return value
        }
    }

    private static var mask: String { "********" }
}
