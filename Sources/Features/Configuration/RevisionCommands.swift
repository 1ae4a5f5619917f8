// SPDX-License-Identifier: Apache-2.0
import Commands
import Hosting
import JSON
import Shapes
import Venue

struct ConfirmSettings: DeferredCommand {
    static let about = About(
        "config-confirm", "Confirm the last change before it has proved itself",
        help: """
            A change that interrupts the picture, or needs a restart, is taken back unless what worked before works with \
            it. This ends the wait.
            """, role: .administrator)
    static let shape = Shape<Self>()

    func run(on configuration: Configuration, _ reply: Reply<Done>) {
        configuration.confirm { problem in reply(problem.map { .failure($0) } ?? .success(Done())) }
    }
}

struct RollBackSettings: ChangingCommand {
    var revision: Int?
    var comment = ""
    var base: Int?
    var confirmWithinS: Int?
    var caller = Caller.service

    static let about = About(
        "config-rollback", "Return to an earlier revision of the settings",
        help: """
            Without REVISION the last change is taken back if it is not confirmed yet. With it, the settings of that \
            revision become a new revision, which has to prove itself as any change. 0 is the image's own settings.
            """, role: .administrator)
    static let shape = Shape<Self>(
        [
            .optionalArgument(
                "revision", \.revision, .absentOr(.count),
                "Number of a revision that config history lists; absent: the one before an unconfirmed change.")
        ] + options)

    func run(on configuration: Configuration, _ reply: Reply<SettingsReport>) {
        guard let revision else {
            let why = comment.isEmpty ? "by hand" : comment
            return configuration.takeBack(because: why, author: caller.author) { reply($0) }
        }
        do {
            var terms = terms()
            if comment.isEmpty { terms.comment = "the settings of revision \(revision)" }
            configuration.change(
                .replace(try configuration.store.document(of: revision)), from: caller, terms, reply)
        } catch {
            reply(.failure(error.status))
        }
    }
}

struct ListRevisions: Command {
    static let about = About(
        "config-history", "List the revisions of the settings", help: "The newest is first, and in force.", example: "")
    static let shape = Shape<Self>()

    func run(on configuration: Configuration) throws(Status) -> RevisionList {
        let store = configuration.store
        return RevisionList(
            revisions: store.history.filter { $0.number > 0 }.map { revision in
                let isInForce = revision.number == store.revision.number
                return RevisionRow(
                    revision: revision,
                    state: isInForce
                        ? store.pending == nil ? .inForce : .unconfirmed
                        : revision.unconfirmed == nil ? .kept : .neverConfirmed)
            })
    }
}

struct RevisionList: Answer {
    let revisions: [RevisionRow]

    static let shape = Shape<Self>([.value("revisions", \.revisions, .list(of: .row), "the newest first")])
}

struct RevisionRow: Answer {
    enum State: String, Sendable, CaseIterable { case inForce, unconfirmed, kept, neverConfirmed }

    let revision: SettingsRevision
    let state: State

    static let shape = Shape<Self>([
        .value("revision", \.revision.number, .count, "its number"),
        .value("time", \.revision.time, .text, "at which it was made, by RFC 3339; empty if unknown"),
        .value(
            "state", \.state, .choice,
            "inForce; unconfirmed: in force, and has to prove itself; kept; neverConfirmed: it was taken back"),
        .value("author", \.revision.author, .text, "an interface, a key of a push, or the path of a file"),
        .value("comment", \.revision.comment, .text, "why it was made; may be empty"),
    ])
}

struct CompareRevisions: Command {
    var from = 0
    var to: Int?

    static let about = About(
        "config-diff", "Compare two revisions of the settings",
        help: "Secrets are masked: one that differs is listed, and its values are not shown.", example: "0")
    static let shape = Shape<Self>([
        .argument("from", \.from, .count, "Number of a revision; 0: the image's own settings."),
        .optionalArgument("to", \.to, .absentOr(.count), "Number of another; absent: the one in force."),
    ])

    func run(on configuration: Configuration) throws(Status) -> SettingsComparison {
        let store = configuration.store
        do {
            let new = try store.document(of: to ?? store.revision.number)
            return SettingsComparison(differences: store.differences(from: try store.document(of: from), to: new))
        } catch {
            throw error.status
        }
    }
}

struct SettingsComparison: Answer {
    struct Row: Answer {
        let difference: SettingDifference

        static let shape = Shape<Self>([
            .value("path", \.difference.path, .text, "the setting"),
            .computed("from", .anything, "its value in the first; absent: none") { $0.difference.from },
            .computed("to", .anything, "its value in the second; absent: none") { $0.difference.to },
        ])
    }

    let differences: [Row]

    init(differences: [SettingDifference]) { self.differences = differences.map { Row(difference: $0) } }

    static let shape = Shape<Self>([
        .value("differences", \.differences, .list(of: .row), "settings whose value differs")
    ])
}
