// SPDX-License-Identifier: Apache-2.0
import Commands
import JSON
import Shapes

extension OpenAPI {
    // MARK: Arguments

    static func query(_ field: FieldDescription) -> JSONValue {
        [
            "name": .string(field.name), "in": "query", "required": .bool(field.isRequired),
            "description": .string(field.help), "schema": field.type.schema,
        ]
    }

    /// The schema of a request's body. An argument that is null counts as absent, so that a required one is never null,
    /// even where any value is accepted. The document `settings` is one of settings, or a patch of them, which has the same
    /// members; another document is not described here.
    static func body(_ fields: [FieldDescription]) -> JSONValue {
        var schema = ValueKind.record(fields).schema
        func isSettings(_ field: FieldDescription) -> Bool { field.place == .document && field.name == "settings" }
        for field in fields where isSettings(field) {
            let about: JSONValue = ["properties": .object([field.name: settings])]
            schema = schema.merging(patch: about)
        }
        for field in fields where field.isRequired && !isSettings(field) {
            guard case .anything = field.type else { continue }
            schema = schema.merging(patch: ["properties": [field.name: ["not": ["type": "null"]]]])
        }
        return schema
    }

    static let settings: JSONValue = ["$ref": "#/components/schemas/Settings"]

    // MARK: Answers

    /// The schema of an answer. Its objects may have further members, because readers ignore members that they do not
    /// know.
    static func schema(of answer: AnswerDescription) -> JSONValue {
        switch answer.form {
        case .nothing: ["type": "object", "maxProperties": 0]
        case .events: opened(answer.kind.schema).merging(patch: ["properties": ["events": ["items": eventReference]]])
        default: opened(answer.kind.schema)
        }
    }

    private static let eventReference: JSONValue = ["$ref": "#/components/schemas/Event"]

    private static func opened(_ schema: JSONValue) -> JSONValue {
        guard case .object(var members) = schema else {
            return schema.array.map { .array($0.map(opened)) } ?? schema
        }
        if members["additionalProperties"] == false { members["additionalProperties"] = nil }
        return .object(members.mapValues(opened))
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
