// SPDX-License-Identifier: Apache-2.0
import JSON

extension SettingsType {
    /// JSON Schema 2020-12 of this type; null is welcome wherever there is a default to go back to.
    func schema(orNull: Bool) -> [String: JSONValue] {
        func typed(_ name: String) -> JSONValue { orNull ? [.string(name), "null"] : .string(name) }
        switch self {
        case .text(let length):
            return [
                "type": typed("string"), "minLength": .integer(Int64(length.lowerBound)),
                "maxLength": .integer(Int64(length.upperBound)), "pattern": #"^[^\u0000-\u001f\u007f-\u009f]*$"#,
            ]
        case .formatted(let format): return format.schema.merging(["type": typed("string")]) { $1 }
        case .choice(let choices): return ["enum": .array(choices.map { .string($0) } + (orNull ? [.null] : []))]
        case .integer(let range):
            return [
                "type": typed("integer"), "minimum": .integer(range.lowerBound), "maximum": .integer(range.upperBound),
            ]
        case .boolean: return ["type": typed("boolean")]
        case .list(let element, let count):
            return [
                "type": typed("array"), "items": .object(element.schema(orNull: false)),
                "minItems": .integer(Int64(count.lowerBound)), "maxItems": .integer(Int64(count.upperBound)),
            ]
        case .map(let element):
            return [
                "type": typed("object"), "propertyNames": ["pattern": "^[a-z0-9]{1,32}$"],
                "additionalProperties": .object(element.schema(orNull: true)),
            ]
        case .group(let fields):
            var schema: [String: JSONValue] = [
                "type": typed("object"), "additionalProperties": false,
                "properties": .object(Dictionary(uniqueKeysWithValues: fields.map { ($0.name, .object($0.schema)) })),
            ]
            let required = fields.filter(\.isRequired).map { JSONValue.string($0.name) }
            if !required.isEmpty { schema["required"] = .array(required) }
            return schema
        case .choiceOrList(let choices, let element, let count):
            let either: [SettingsType] = [.choice(choices), .list(of: element, count)]
            return ["anyOf": .array(either.map { .object($0.schema(orNull: orNull)) })]
        }
    }
}

extension SettingsField {
    var isRequired: Bool {
        if case .required = presence { true } else { false }
    }

    var schema: [String: JSONValue] {
        var schema = type.schema(orNull: !isRequired)
        schema["description"] = .string(help)
        if isSecret { schema["writeOnly"] = true }
        if case .group = type { return schema }
        if case .defaulted(let value) = presence { schema["default"] = value }
        return schema
    }
}
