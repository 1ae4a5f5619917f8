// SPDX-License-Identifier: Apache-2.0
import JSON

extension OpenAPI {
    // MARK: Arguments

    static func query(_ parameter: CommandParameter) -> JSONValue {
        [
            "name": .string(parameter.name), "in": "query", "required": .bool(!parameter.isOptional),
            "description": .string(parameter.help), "schema": schema(of: parameter.kind),
        ]
    }

    /// An optional argument may be null, which is as good as absent.
    static func body(_ parameters: [CommandParameter]) -> JSONValue {
        var properties: [String: JSONValue] = [:]
        for parameter in parameters {
            var property = schema(of: parameter.kind)
            if parameter.isOptional { property = ["anyOf": [property, ["type": "null"]]] }
            property["description"] = .string(parameter.help)
            properties[parameter.name] = property
        }
        return [
            "type": "object", "properties": .object(properties), "additionalProperties": false,
            "required": .array(parameters.filter { !$0.isOptional }.map { .string($0.name) }),
        ]
    }

    private static func schema(of kind: CommandParameter.Kind) -> JSONValue {
        switch kind {
        case .flag: ["type": "boolean"]
        case .text(let length):
            [
                "type": "string", "minLength": .integer(Int64(length.lowerBound)),
                "maxLength": .integer(Int64(length.upperBound)),
                "pattern": #"^[^\u0000-\u001f\u007f-\u009f]*$"#,
            ]
        case .choice(let choices): ["type": "string", "enum": .array(choices.map { .string($0) })]
        case .integer(let range): integer(range)
        case .integerOrWord(let range, let word):
            ["anyOf": [integer(range), ["type": "string", "enum": [.string(word)]]]]
        case .path: ["type": "string", "minLength": 1]
        }
    }

    private static func integer(_ range: ClosedRange<Int64>) -> JSONValue {
        [
            "type": "integer", "format": "int64", "minimum": .integer(range.lowerBound),
            "maximum": .integer(range.upperBound),
        ]
    }

    // MARK: Answers

    static func schema(of answer: AnswerShape) -> JSONValue {
        switch answer {
        case .nothing: return ["type": "object", "maxProperties": 0]
        case .record(let fields): return record(fields)
        case .table(let member, let fields): return object([member: ["type": "array", "items": record(fields)]])
        case .dictionary(let member, let help):
            return object([member: ["type": "object", "description": .string(help)]])
        case .document(let member, let help):
            return object([member: ["description": .string(help)]])
        case .events:
            return object([
                "events": ["type": "array", "items": ["$ref": "#/components/schemas/Event"]],
                "dropped": ["type": "integer", "minimum": 0, "description": "events that the box no longer has"],
                "next": ["type": "integer", "minimum": 1, "description": "sequence of the next event"],
            ])
        case .image:
            return object([
                "png": ["type": "string", "contentEncoding": "base64", "contentMediaType": "image/png"],
                "width": ["type": "integer", "minimum": 1], "height": ["type": "integer", "minimum": 1],
            ])
        }
    }

    /// A field that does not apply is absent; readers pass over what they do not know.
    private static func record(_ fields: [AnswerField]) -> JSONValue {
        let properties = fields.map { ($0.name, ["description": .string($0.help)] as JSONValue) }
        return ["type": "object", "properties": .object(Dictionary(properties) { first, _ in first })]
    }

    private static func object(_ members: [String: JSONValue]) -> JSONValue {
        [
            "type": "object", "properties": .object(members),
            "required": .array(members.keys.sorted().map { .string($0) }),
        ]
    }

    static let status: JSONValue = [
        "type": "object", "required": ["isOk", "errorString", "code"],
        "properties": [
            "isOk": ["type": "boolean"],
            "errorString": [
                "type": "string", "description": "empty when ok; else what was wrong and what was expected",
            ],
            "code": ["type": "integer", "enum": [0, 1, 2, 69, 75, 78]],
        ],
    ]

    static let event: JSONValue = [
        "type": "object", "required": ["sequence", "time", "type", "payload"],
        "properties": [
            "sequence": ["type": "integer", "minimum": 1], "time": ["type": "string", "format": "date-time"],
            "type": ["type": "string"], "payload": ["type": "object"],
        ],
    ]
}
