// SPDX-License-Identifier: Apache-2.0
import Commands
import JSON
import Shapes
import Venue

/// What the client shows of the machine and of the counters by itself, for a technician: `show log`, `show storage`, …
/// Pages of the machine need no service.
enum Pages {
    static let all: [CommandDescription] =
        StatisticPage.all.map(\.description) + [LogPage.description, StoragePage.description, ProcessPage.description]
        + [SettingsPage.description, TechSupport.description]

    /// The answer of a page of the machine; nil if the request is for none.
    static func answer(to request: CommandRequest, in catalogue: Catalogue) throws -> JSONValue? {
        switch request.command {
        case LogPage.name: try LogPage.answer(to: request)
        case StoragePage.name: StoragePage.answer
        case ProcessPage.name: ["processes": .array(try ProcessPage.rows())]
        case SettingsPage.name: SettingsPage.answer(in: catalogue)
        default: nil
        }
    }
}

extension CommandDescription {
    /// A page whose answer is a table.
    static func page(
        _ name: String, _ summary: String, help: String = "", fields: [FieldDescription] = [], of rows: String,
        _ columns: [FieldDescription]
    ) -> CommandDescription {
        let list = FieldDescription(rows, .list(of: .record(columns), 0...100_000), .required, "the rows")
        return CommandDescription(
            name, summary, help: help, fields: fields, answer: AnswerDescription(.table, [list]), isLocal: true)
    }
}
