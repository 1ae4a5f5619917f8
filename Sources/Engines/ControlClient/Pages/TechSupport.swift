// SPDX-License-Identifier: Apache-2.0
import Commands
import Shapes

/// Everything that somebody far away asks for first, one page after the other. It has no secrets, because none of the pages
/// has; the box may be dead: pages of the machine are there still.
enum TechSupport {
    static let name = "tech-support"

    static let description = CommandDescription(
        name, "Show all that support asks for first",
        help: """
            The pages \(pages.joined(separator: ", ")), one after the other. Secrets are in none of them. Long: at 9600 baud \
            a minute and more.
            """,
        answer: AnswerDescription(
            .document, [FieldDescription("pages", .anything, .required, "the answer of each, or why there is none")]),
        isLocal: true)

    private static let pages = commands.map { $0[0] }

    static let commands: [[String]] = [
        ["version"], ["diagnose"], ["status"], ["service"], ["time"], ["interfaces"], ["network-status"], ["wifi"],
        ["channels"], ["streamers"], ["streams"], ["sync"], ["reports"], ["push-status"], ["access-status"],
        ["http-status"], ["decoders"], ["storage"], ["processes"], ["config"], ["stats"], ["events"], ["log"],
    ]
}
