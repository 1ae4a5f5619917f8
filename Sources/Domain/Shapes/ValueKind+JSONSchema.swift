// SPDX-License-Identifier: Apache-2.0
import JSON

extension ValueKind {
    /// The JSON Schema 2020-12 of a document of this kind.
    public func jsonSchema(id: String, title: String, description: String) -> JSONValue {
        var schema = schema(orNull: false)
        schema["$schema"] = "https://json-schema.org/draft/2020-12/schema"
        schema["$id"] = .string(id)
        schema["title"] = .string(title)
        schema["description"] = .string(description)
        return .object(schema)
    }

    /// The JSON Schema 2020-12 of a value of this kind, without identifier and title.
    public var schema: JSONValue { .object(schema(orNull: false)) }

    /// - Parameter orNull: whether null is accepted, too. It is for every member that is not required, because null
    ///   counts as absent.
    func schema(orNull: Bool) -> [String: JSONValue] {
        func typed(_ name: String) -> JSONValue { orNull ? [.string(name), "null"] : .string(name) }
        switch self {
        case .anything: return [:]
        case .boolean: return ["type": typed("boolean")]
        case .integer(let range):
            return [
                "type": typed("integer"), "minimum": .integer(range.lowerBound), "maximum": .integer(range.upperBound),
            ]
        case .number: return ["type": typed("number")]
        case .text(let length):
            return [
                "type": typed("string"), "minLength": .integer(Int64(length.lowerBound)),
                "maxLength": .integer(Int64(length.upperBound)), "pattern": #"^[^\u0000-\u001f\u007f-\u009f]*$"#,
            ]
        case .formatted(let format): return format.schema.merging(["type": typed("string")]) { $1 }
        case .choice(let choices): return ["enum": .array(choices.map { .string($0) } + (orNull ? [.null] : []))]
        case .list(let element, let count):
            return [
                "type": typed("array"), "items": .object(element.schema(orNull: false)),
                "minItems": .integer(Int64(count.lowerBound)), "maxItems": .integer(Int64(count.upperBound)),
            ]
        case .map(let element):
            return [
                "type": typed("object"), "propertyNames": ["pattern": "^[A-Za-z0-9_-]{1,64}$"],
                "additionalProperties": .object(element.schema(orNull: true)),
            ]
        case .record(let fields):
            var schema: [String: JSONValue] = [
                "type": typed("object"), "additionalProperties": false,
                "properties": .object(Dictionary(uniqueKeysWithValues: fields.map { ($0.name, .object($0.schema)) })),
            ]
            let required = fields.filter(\.isRequired).map { JSONValue.string($0.name) }
            if !required.isEmpty { schema["required"] = .array(required) }
            return schema
        case .wordOr(let words, let kind):
            let either: [ValueKind] = [.choice(words), kind]
            return ["anyOf": .array(either.map { .object($0.schema(orNull: orNull)) })]
        case .textOr(let length, let kind):
            let either: [ValueKind] = [kind, .text(length)]
            return ["anyOf": .array(either.map { .object($0.schema(orNull: orNull)) })]
        case .nullable(let kind): return kind.schema(orNull: true)
        }
    }
}

extension FieldDescription {
    /// The JSON Schema 2020-12 of the member.
    public var schema: [String: JSONValue] {
        var schema = type.schema(orNull: !isRequired)
        schema["description"] = .string(help)
        if isSecret { schema["writeOnly"] = true }
        if let change { schema["x-change"] = .string(change.rawValue) }
        if case .record = type { return schema }
        if let standard { schema["default"] = standard }
        return schema
    }
}
