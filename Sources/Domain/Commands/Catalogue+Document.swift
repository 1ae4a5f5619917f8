// SPDX-License-Identifier: Apache-2.0
import JSON
import Shapes

/// The catalogue as a JSON document. The client embeds it, so that it needs no engine of the box.
extension Catalogue {
    public var document: JSONValue {
        [
            "commands": .array(commands.map(\.document)), "settings": .array(settings.map(\.document)),
            "events": .array(events.map(\.document)),
        ]
    }

    /// Reads a document that `document` made; nil if `document` does not have this form.
    public init?(document: JSONValue) {
        guard let commands = document["commands"]?.array, let settings = document["settings"]?.array,
            let events = document["events"]?.array
        else { return nil }
        self.init(
            commands.compactMap { CommandDescription(document: $0) },
            settings: settings.compactMap { FieldDescription(document: $0) },
            events: events.compactMap { EventDescription(document: $0) })
    }
}

extension CommandDescription {
    var document: JSONValue {
        // The initialiser adds `--long` to every answer that is a list.
        let fields = fields.filter { !($0.name == "long" && $0.place == .clientOption) }
        var document: JSONValue = [
            "name": .string(name), "summary": .string(summary), "role": .string(role.rawValue),
            "fields": .array(fields.map(\.document)), "form": .string(answer.form.rawValue),
            "answer": .array(answer.fields.map(\.document)),
        ]
        if admission != .role { document["admission"] = .string(admission.rawValue) }
        if answersSecret { document["answersSecret"] = true }
        if onlyAsks { document["onlyAsks"] = true }
        if !help.isEmpty { document["help"] = .string(help) }
        if let streamArgument { document["streamArgument"] = .string(streamArgument) }
        if let example { document["example"] = .string(example) }
        if let route { document["route"] = route.document }
        return document
    }

    init?(document: JSONValue) {
        guard let name = document["name"]?.string, let summary = document["summary"]?.string,
            let role = document["role"]?.string.flatMap({ Role(rawValue: $0) }),
            let form = document["form"]?.string.flatMap({ AnswerDescription.Form(rawValue: $0) }),
            let fields = document["fields"]?.array, let answer = document["answer"]?.array
        else { return nil }
        self.init(
            name, summary, help: document["help"]?.string ?? "", role: role,
            admission: document["admission"]?.string.flatMap { CommandAdmission(rawValue: $0) } ?? .role,
            answersSecret: document["answersSecret"] == true, onlyAsks: document["onlyAsks"] == true,
            fields: fields.compactMap { FieldDescription(document: $0) },
            answer: AnswerDescription(form, answer.compactMap { FieldDescription(document: $0) }),
            streamArgument: document["streamArgument"]?.string, example: document["example"]?.string,
            route: document["route"].flatMap { HTTPRoute(document: $0) })
    }
}

extension EventDescription {
    var document: JSONValue {
        ["type": .string(type), "help": .string(help), "payload": .array(payload.map(\.document))]
    }

    init?(document: JSONValue) {
        guard let type = document["type"]?.string, let help = document["help"]?.string,
            let payload = document["payload"]?.array
        else { return nil }
        self.init(type, help, payload.compactMap { FieldDescription(document: $0) })
    }
}
