// SPDX-License-Identifier: Apache-2.0

/// Help pages of the client, at most 80 columns wide.
public enum HelpText {
    public static func overview() -> String {
        var text = "Usage: touchline [--socket PATH] [--json] COMMAND …\n\nCommands:\n"
        text += rows(Command.all.map { ($0.name, $0.summary) })
        text += "\nOptions of every command:\n" + rows(Command.commonOptions.map { (option($0), $0.help) })
        return text + "\n'touchline help COMMAND' explains a command.\n"
    }

    public static func page(of command: Command) -> String {
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

    static func parts(of command: Command) -> [String] {
        let arguments = command.arguments.map { $0.isOptional ? "[\($0.placeholder)]" : $0.placeholder }
        return command.options.map { "[\(option($0))]" } + arguments
    }

    private static func usage(of command: Command) -> String {
        usage(of: "touchline \(command.name)", parts(of: command))
    }

    /// What does not fit stands below the first option; nothing is broken within.
    private static func usage(of program: String, _ parts: [String]) -> String {
        var lines = ["Usage: \(program)"]
        let margin = String(repeating: " ", count: lines[0].count)
        for part in parts {
            if lines[lines.count - 1].count + 1 + part.count > 80 { lines.append(margin) }
            lines[lines.count - 1] += " " + part
        }
        return lines.joined(separator: "\n") + "\n"
    }

    /// Of the service.
    public static func service() -> String {
        let options = Command.serviceOptions
        let usage = usage(of: "touchlined", options.filter { !$0.isFlag }.map { "[\(option($0))]" })
        return usage + "\n" + rows(options.map { (option($0), $0.help) })
    }

    private static func answer(of command: Command) -> String {
        let (lead, members) = result(of: command)
        return lead.map { "\n\($0)\n\(rows(members))" } ?? ""
    }

    /// - Returns: what stands above the members; nil when nothing is answered.
    static func result(of command: Command) -> (lead: String?, members: [(String, String)]) {
        switch command.answer {
        case .nothing: (nil, [])
        case .record(let fields): ("Result:", fields.map { ($0.name, $0.help) })
        case .table(let member, let fields): ("Result, '\(member)', each:", fields.map { ($0.name, $0.help) })
        case .dictionary(let member, let help), .document(let member, let help): ("Result:", [(member, help)])
        case .events:
            (
                "Result:",
                [
                    ("events", "each with sequence, time, type and payload"),
                    ("dropped", "events after --since that the box no longer has"),
                    ("next", "sequence of the next event"),
                ]
            )
        case .image:
            ("Result:", [("png", "base64 with --json"), ("width", "pixels"), ("height", "pixels")])
        }
    }

    static func option(_ parameter: CommandParameter) -> String {
        switch parameter.kind {
        case .flag: parameter.optionWord
        case .path: "\(parameter.optionWord) PATH"
        case .integer, .integerOrWord: "\(parameter.optionWord) N"
        case .text, .choice: "\(parameter.optionWord) \(parameter.placeholder)"
        }
    }

    static func explanation(_ parameter: CommandParameter) -> String {
        guard case .choice(let choices) = parameter.kind else { return parameter.help }
        return "\(parameter.help) One of \(choices.joined(separator: ", "))."
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
