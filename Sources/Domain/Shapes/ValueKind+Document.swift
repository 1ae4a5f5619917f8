// SPDX-License-Identifier: Apache-2.0
import JSON

/// Descriptions as JSON documents, for the client, which has none of the Swift types.
extension ValueKind {
    public var document: JSONValue {
        switch self {
        case .anything: ["kind": "anything"]
        case .boolean: ["kind": "boolean"]
        case .integer(let range):
            ["kind": "integer", "least": .integer(range.lowerBound), "most": .integer(range.upperBound)]
        case .number: ["kind": "number"]
        case .text(let length): Self.counted(["kind": "text"], length)
        case .formatted(let format):
            [
                "kind": "formatted", "expectation": .string(format.expectation), "schema": .object(format.schema),
                "isFile": .bool(format.isFile),
            ]
        case .choice(let choices): ["kind": "choice", "words": .array(choices.map { .string($0) })]
        case .list(let element, let count): Self.counted(["kind": "list", "of": element.document], count)
        case .map(let element): ["kind": "map", "of": element.document]
        case .record(let fields): ["kind": "record", "fields": .array(fields.map(\.document))]
        case .wordOr(let words, let kind):
            ["kind": "wordOr", "words": .array(words.map { .string($0) }), "of": kind.document]
        case .textOr(let length, let kind): Self.counted(["kind": "textOr", "of": kind.document], length)
        case .nullable(let kind): ["kind": "nullable", "of": kind.document]
        }
    }

    private static func counted(_ document: JSONValue, _ range: ClosedRange<Int>) -> JSONValue {
        document.merging(patch: [
            "least": .integer(Int64(range.lowerBound)), "most": .integer(Int64(range.upperBound)),
        ])
    }

    /// Reads a document that `document` made; nil if it does not have this form. A `formatted` kind that is read
    /// accepts every text unless it is the path of a file: the service checks the rest.
    public init?(document: JSONValue) {
        let (least, most) = (document["least"]?.integer ?? 0, document["most"]?.integer ?? .max)
        guard least <= most else { return nil }
        let count = Int(clamping: least)...Int(clamping: most)
        let words = (document["words"]?.array ?? []).compactMap(\.string)
        let element = document["of"].flatMap { ValueKind(document: $0) }
        switch (document["kind"]?.string, element) {
        case ("anything", _): self = .anything
        case ("boolean", _): self = .boolean
        case ("integer", _): self = .integer(least...most)
        case ("number", _): self = .number
        case ("text", _): self = .text(count)
        case ("formatted", _):
            let isFile = document["isFile"]?.bool ?? false
            self = .formatted(
                isFile
                    ? .file
                    : TextFormat(
                        document["expectation"]?.string ?? "", schema: document["schema"]?.object ?? [:],
                        accepts: { _ in true }))
        case ("choice", _): self = .choice(words)
        case ("list", let element?): self = .list(of: element, count)
        case ("map", let element?): self = .map(of: element)
        case ("record", _):
            self = .record((document["fields"]?.array ?? []).compactMap { FieldDescription(document: $0) })
        case ("wordOr", let element?): self = .wordOr(words, element)
        case ("textOr", let element?): self = .textOr(count, element)
        case ("nullable", let element?): self = .nullable(element)
        default: return nil
        }
    }
}

extension FieldDescription {
    /// The description as a document. Members that have their default are left out.
    public var document: JSONValue {
        var document: JSONValue = ["name": .string(name), "type": type.document, "help": .string(help)]
        switch presence {
        case .required: document["isRequired"] = true
        case .defaulted(let value): document["default"] = value
        case .optional: break
        }
        if isSecret { document["isSecret"] = true }
        if place != .member { document["place"] = .string(place.rawValue) }
        if let change { document["change"] = .string(change.rawValue) }
        if isLocalOnly { document["isLocalOnly"] = true }
        if display.isDetail { document["isDetail"] = true }
        if display.style != .plain { document["style"] = .string(display.style.rawValue) }
        if let title = display.title { document["title"] = .string(title) }
        if let names { document["names"] = .string(names) }
        return document
    }

    /// Reads a document that `document` made; nil if it does not have this form.
    public init?(document: JSONValue) {
        guard let name = document["name"]?.string, let help = document["help"]?.string,
            let type = document["type"].flatMap({ ValueKind(document: $0) })
        else { return nil }
        let presence: Presence =
            document["isRequired"] == true ? .required : document["default"].map { .defaulted($0) } ?? .optional
        self.init(name, type, presence, isSecret: document["isSecret"] == true, help)
        place = document["place"]?.string.flatMap { Place(rawValue: $0) } ?? .member
        change = document["change"]?.string.flatMap { LiveChange(rawValue: $0) }
        display = FieldDisplay(
            isDetail: document["isDetail"] == true,
            style: document["style"]?.string.flatMap { FieldDisplay.Style(rawValue: $0) } ?? .plain,
            title: document["title"]?.string)
        names = document["names"]?.string
        if document["isLocalOnly"] == true { self = locally() }
    }
}
