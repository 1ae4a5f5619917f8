// SPDX-License-Identifier: Apache-2.0
import Auditing
import Commands
import Shapes
import Venue

struct ShowAudit: Command {
    var before: Int64?
    var limit = 50

    static let about = About(
        "audit", "Show who did what, and what was refused",
        help: """
            The newest first: each command that changes something, each login, and what callers had no right to. Secrets \
            and documents are left out. What repeats is one entry.
            """, role: .administrator, example: "--limit 5")
    static let shape = Shape<Self>([
        .option("before", \.before, .absentOr(.integer(1...Int64.max)), "Only entries before this sequence."),
        .option("limit", \.limit, .integer(1...200), "How many entries."),
    ])

    func run(on access: Access) throws(Status) -> AuditReport {
        access.tellWhatTheGateNoted()
        let entries = access.trail.entries(before: before, atMost: limit)
        return AuditReport(entries: entries.map { AuditReport.Row(entry: $0) })
    }
}

struct AuditReport: Answer {
    struct Row: Answer {
        let entry: AuditEntry

        static let shape = Shape<Self>([
            .value("sequence", \.entry.sequence, .count, "counts up, over restarts too"),
            .computed("time", .text, "when it happened first") { $0.entry.time.description },
            .value("outcome", \.entry.outcome, .choice, "done, failed or refused"),
            .value("command", \.entry.command, .text, "the command; login; or a path of HTTP"),
            .value("name", \.entry.name, .text, "whose token, or which local user; empty: nobody that is known"),
            .value("origin", \.entry.origin, .text, "the interface that it came by"),
            .value("address", \.entry.address, .text, "from where; empty: by no network"),
            .value("role", \.entry.role, .text, "of who did it; none: nobody that is known"),
            .detail("arguments", \.entry.arguments, .text, "as JSON, without secrets and documents; empty: none"),
            .detail("detail", \.entry.detail, .text, "why not, or the revision of the settings that it made"),
            .detail("count", \.entry.count, .count, "how often it happened"),
            .computed("last", .text, shownAs: FieldDisplay(isDetail: true), "when it happened last") {
                $0.entry.last.description
            },
        ])
    }

    let entries: [Row]

    static let shape = Shape<Self>([.value("entries", \.entries, .list(of: .row), "the newest first")])
}
