// SPDX-License-Identifier: Apache-2.0
import Commands
import Shapes

/// The notation of this folder's tables for commands that have no type of their own.
extension CommandDescription {
    init(
        _ name: String, _ summary: String, help: String = "", arguments: [FieldDescription] = [],
        options: [FieldDescription] = [], role: Role = .viewer, answer: AnswerDescription = .nothing,
        streamArgument: String? = nil
    ) {
        self.init(
            name, summary, help: help, role: role,
            fields: arguments.map { $0.standing(at: .position) }
                + options.map { $0.place == .clientOption ? $0 : $0.standing(at: .option) },
            answer: answer, streamArgument: streamArgument)
    }
}

extension FieldDescription {
    static func parameter(
        _ name: String, _ type: ValueKind, isOptional: Bool = false, names: String? = nil, isLocal: Bool = false,
        _ help: String
    ) -> FieldDescription {
        var field = FieldDescription(name, type, isOptional ? .optional : .required, help)
        field.names = names
        return isLocal ? field.standing(at: .clientOption) : field
    }

    static func answer(
        _ name: String, isDetail: Bool = false, style: FieldDisplay.Style = .plain, title: String? = nil, _ help: String
    ) -> FieldDescription {
        var field = FieldDescription(name, .anything, .optional, help)
        field.display = FieldDisplay(isDetail: isDetail, style: style, title: title)
        return field
    }

    fileprivate func standing(at place: Place) -> FieldDescription {
        var field = self
        field.place = place
        return field
    }
}

extension AnswerDescription {
    static func record(_ fields: [FieldDescription]) -> AnswerDescription { AnswerDescription(.record, fields) }

    static func table(member: String, _ columns: [FieldDescription]) -> AnswerDescription {
        AnswerDescription(
            .table, [FieldDescription(member, .list(of: .record(columns), 0...Int.max), .required, "")])
    }

    static func dictionary(member: String, help: String) -> AnswerDescription {
        AnswerDescription(.dictionary, [FieldDescription(member, .anything, .required, help)])
    }

    static func document(member: String, help: String) -> AnswerDescription {
        AnswerDescription(.document, [FieldDescription(member, .anything, .required, help)])
    }

    static var events: AnswerDescription {
        AnswerDescription(
            .events,
            [
                FieldDescription(
                    "events", .list(of: .anything, 0...Int.max), .required,
                    "each with sequence, time, type and payload"),
                FieldDescription(
                    "dropped", .integer(0...Int64.max), .required,
                    "events after --since that the box no longer has"),
                FieldDescription("next", .integer(1...Int64.max), .required, "sequence of the next event"),
            ])
    }

    static var image: AnswerDescription {
        let base64 = TextFormat(
            "base64", schema: ["contentEncoding": "base64", "contentMediaType": "image/png"]
        ) { _ in true }
        return AnswerDescription(
            .image,
            [
                FieldDescription("png", .formatted(base64), .required, "base64 with --json"),
                FieldDescription("width", .integer(1...Int64.max), .required, "pixels"),
                FieldDescription("height", .integer(1...Int64.max), .required, "pixels"),
            ])
    }
}
