// SPDX-License-Identifier: Apache-2.0
import Commands
import JSON
import Shapes

/// Every setting by its path, for whoever changes one, and for the completion of paths. It needs no service.
enum SettingsPage {
    static let name = "settings"

    static let description = CommandDescription.page(
        name, "List the settings there are",
        help: """
            A setting is changed by config-set, shown by config, and explained with its value by config-explain. An element
            of a list has its own: channels.News.port.
            """,
        fields: [.clientOption("names", .boolean, "Print paths only, one a line.")], of: "settings",
        [
            FieldDescription("name", .text(1...256), .required, "its path"),
            FieldDescription("expected", .text(1...4_096), .required, "which values it may have"),
            FieldDescription("help", .text(0...1_024), .required, "what it is for"),
        ])

    static func answer(in catalogue: Catalogue) -> JSONValue {
        ["settings": .array(catalogue.settings.flatMap { rows(of: $0, in: "") })]
    }

    private static func rows(of field: FieldDescription, in group: String) -> [JSONValue] {
        let path = group + field.name
        if case .record(let fields) = field.type { return fields.flatMap { rows(of: $0, in: path + ".") } }
        return [["name": .string(path), "expected": .string(field.type.expectation), "help": .string(field.help)]]
    }
}
