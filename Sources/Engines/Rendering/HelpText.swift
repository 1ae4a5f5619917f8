// SPDX-License-Identifier: Apache-2.0
import Commands
import Shapes

/// The help pages of the client and the service, at most 80 columns wide.
public enum HelpText {
    public static func overview(of catalogue: Catalogue) -> String {
        var text = "Usage: touchline [--socket PATH] [--json] COMMAND …\n\nCommands:\n"
        text += rows(catalogue.commands.map { ($0.name, $0.summary) })
        text += "\nOptions of every command:\n" + rows(Catalogue.commonOptions.map { (option($0), $0.help) })
        return text + "\n'touchline help COMMAND' explains a command.\n"
    }

    public static func page(of command: CommandDescription) -> String {
        var text = usage(of: command) + "\n\(command.summary).\n"
        if !command.help.isEmpty { text += wrapped(command.help, indentation: 0) }
        if !command.arguments.isEmpty {
            text += "\nArguments:\n" + rows(command.arguments.map { ($0.placeholder, explanation($0)) })
        }
        if !command.options.isEmpty {
            text += "\nOptions:\n" + rows(command.options.map { (option($0), explanation($0)) })
        }
        return text + answer(of: command)
    }

    static func parts(of command: CommandDescription) -> [String] {
        let arguments = command.arguments.map { $0.isRequired ? $0.placeholder : "[\($0.placeholder)]" }
        return command.options.map { "[\(option($0))]" } + arguments
    }

    private static func usage(of command: CommandDescription) -> String {
        usage(of: "touchline \(command.name)", parts(of: command))
    }

    /// The usage line. Parts that do not fit continue below the first part. No part is split.
    private static func usage(of program: String, _ parts: [String]) -> String {
        var lines = ["Usage: \(program)"]
        let margin = String(repeating: " ", count: lines[0].count)
        for part in parts {
            if lines[lines.count - 1].count + 1 + part.count > 80 { lines.append(margin) }
            lines[lines.count - 1] += " " + part
        }
        return lines.joined(separator: "\n") + "\n"
    }

    /// The help page of the service.
    public static func service() -> String {
        let options = ServiceOptions.all
        let usage = usage(of: "touchlined", options.filter { !$0.isFlag }.map { "[\(option($0))]" })
        return usage + "\n" + rows(options.map { (option($0), $0.help) })
    }

    private static func answer(of command: CommandDescription) -> String {
        let (lead, members) = result(of: command)
        return lead.map { "\n\($0)\n\(rows(members))" } ?? ""
    }

    /// The members of the command's answer with their help.
    /// - Returns: `lead` is the line above the members; nil if the command answers nothing.
    static func result(of command: CommandDescription) -> (lead: String?, members: [(String, String)]) {
        let answer = command.answer
        let members = { (fields: [FieldDescription]) in fields.map { ($0.name, $0.help) } }
        return switch answer.form {
        case .nothing: (nil, [])
        case .table: ("Result, '\(answer.member?.name ?? "")', each:", members(answer.columns))
        case .record, .dictionary, .document, .events, .image: ("Result:", members(answer.fields))
        }
    }

    static func option(_ field: FieldDescription) -> String {
        switch field.type {
        case .boolean: field.optionWord
        case .formatted(let format) where format.isFile: "\(field.optionWord) PATH"
        case .integer, .wordOr: "\(field.optionWord) N"
        default: "\(field.optionWord) \(field.placeholder)"
        }
    }

    static func explanation(_ field: FieldDescription) -> String {
        guard case .choice(let choices) = field.type else { return field.help }
        return "\(field.help) One of \(choices.joined(separator: ", "))."
    }

    private static func rows(_ rows: [(String, String)]) -> String {
        let width = min(24, (rows.map(\.0.count).max() ?? 0) + 2)
        return rows.map { name, help in
            let lead = "  " + name + String(repeating: " ", count: max(2, width - name.count))
            return lead + wrapped(help, indentation: 2 + width).drop { $0 == " " }
        }.joined()
    }

    private static func wrapped(_ text: String, indentation: Int) -> String {
        let margin = String(repeating: " ", count: indentation)
        var lines: [String] = [margin]
        for word in text.split(whereSeparator: \.isWhitespace) {
            let last = lines[lines.count - 1]
            if last.count == indentation {
                lines[lines.count - 1] += word
            } else if last.count + 1 + word.count <= 80 {
                lines[lines.count - 1] += " " + word
            } else {
                lines.append(margin + word)
            }
        }
        return lines.joined(separator: "\n") + "\n"
    }
}
