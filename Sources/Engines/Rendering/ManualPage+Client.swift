// SPDX-License-Identifier: Apache-2.0
import Commands

extension ManualPage {
    /// touchline(1): every command with its arguments and its answer.
    static func client(of catalogue: Catalogue) -> String {
        var page = Roff("touchline", section: 1, summary: "control client of a Touchline box")
        page.section("SYNOPSIS")
        page.opening("touchline [--socket PATH] [--json] COMMAND [ARGUMENT ...]")
        page.section("DESCRIPTION")
        page.opening(
            """
            Asks the service of this box, touchlined(8), over its control socket, prints what it answers and ends with its
            status. Data go to standard output, messages to standard error. Tables are at most 80 columns wide: --long
            prints what they leave out, --json is for programs. Names that others announced are printed without control
            characters.
            """)
        page.paragraph("Options may stand anywhere on the line; after -- nothing is one.")
        page.section("OPTIONS")
        write(Catalogue.commonOptions, to: &page)
        page.section("COMMANDS")
        for command in catalogue.commands { write(command, to: &page) }
        writeExitStatus(to: &page)
        page.section("ENVIRONMENT")
        page.item("NO_COLOR", "Set and not empty: nothing is styled.")
        page.item("TERM", "When it is dumb, top prints lines instead of a screen.")
        page.section("FILES")
        page.item("/run/touchline/control.sock", "Control socket of the service: mode 0660, group touchline.")
        page.section("EXAMPLES")
        page.verbatim([
            "touchline channels", "touchline tune Arena", "touchline epg", "touchline rewind 20000; touchline live",
            "touchline events --follow --json | jq .type", "touchline screenshot --output now.png",
            "source <(touchline completion bash)", "touchline man touchline-config | man -l -",
        ])
        page.section("SEE ALSO")
        page.opening(ManualPage.touchline.relatives)
        return page.text
    }

    private static func write(_ command: CommandDescription, to page: inout Roff) {
        page.subsection(([command.name] + HelpText.parts(of: command)).joined(separator: " "))
        page.opening("\(command.summary).\(command.help.isEmpty ? "" : " " + command.help)")
        switch command.admission {
        case .role where command.role == .viewer: break
        case .role: page.paragraph("Needs the role \(command.role.rawValue).")
        case .everybody: page.paragraph("Needs no role.")
        case .atBox: page.paragraph("Is given at the box, by its socket or its console, by an administrator.")
        }
        let parameters = command.arguments.map { ($0.placeholder, HelpText.explanation($0)) }
        for (name, help) in parameters { page.item(name, help) }
        write(command.options, to: &page)
        let (lead, members) = HelpText.result(of: command)
        guard let lead else { return }
        page.paragraph(lead)
        page.indented { page in
            for (name, help) in members { page.item(name, help) }
        }
    }
}
