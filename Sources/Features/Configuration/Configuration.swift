// SPDX-License-Identifier: Apache-2.0
import Commands
import Hosting
import JSON
import Journal
import Shapes
import Venue

/// The feature that shows and changes the settings (SVM-12, SVM-18, SVM-19, SVM-20, SVM-22). `SettingsStore` does the work;
/// each feature prepares and commits its own part.
public final class Configuration: Feature {
    public static let summary = """
        the settings, shown and changed while the box plays: `config`, `config-set`, `-reset`, `-merge`, `-replace`, \
        `-check`, `-explain`
        """

    public static var commands: [Handler<Configuration>] {
        [
            Handler(ShowSettings.self), Handler(ExplainSetting.self), Handler(SetSetting.self),
            Handler(ResetSetting.self), Handler(MergeSettings.self), Handler(ReplaceSettings.self),
            Handler(CheckSettings.self),
        ]
    }
    public static var events: [EventDescription] {
        [EventDescription(SettingsChanged.self), EventDescription(SettingsRefused.self)]
    }

    let store: SettingsStore
    private let context: FeatureContext
    private let log: Log

    public init(_ context: FeatureContext) throws(Status) {
        self.context = context
        store = context.settings
        log = context.journal.log(for: "settings")
    }

    /// Tells which documents were passed over when the box started.
    public func start() {
        for refusal in context.provided([SettingsRefusal].self) {
            log(.error, "settings refused", ["source": refusal.source, "why": refusal.why])
            context.emit(SettingsRefused(source: refusal.source, why: refusal.why))
        }
    }

    func change(_ edit: SettingsEdit, from origin: Origin, isTrial: Bool = false, _ reply: Reply<SettingsReport>) {
        store.change(edit, from: origin, isTrial: isTrial) { [context, store, log] result in
            switch result {
            case .success(let outcome):
                log(
                    .debug, isTrial ? "change tried" : "changed",
                    [
                        "revision": outcome.revision,
                        "paths": outcome.changes.map(\.path).joined(separator: " "),
                    ])
                if !isTrial, !outcome.changes.isEmpty {
                    context.emit(SettingsChanged(outcome, author: store.revision.author))
                }
                reply(.success(SettingsReport(outcome)))
            case .failure(let failure): reply(.failure(failure.status))
            }
        }
    }
}

/// What a change of settings did.
struct SettingsReport: Answer {
    struct Row: Answer {
        let path: String
        let effect: LiveChange

        static let shape = Shape<Self>([
            .value("path", \.path, .text, "the setting"),
            .value("effect", \.effect, .choice, "what the change interrupts, or that it needs a restart"),
        ])
    }

    let revision: Int
    let changes: [Row]

    init(_ outcome: SettingsOutcome) {
        revision = outcome.revision
        changes = outcome.changes.map { Row(path: $0.path, effect: $0.effect) }
    }

    static let shape = Shape<Self>([
        .value("changes", \.changes, .list(of: .row), "settings whose value differs"),
        .value("revision", \.revision, .count, "that is in force; 0: none was written"),
    ])
}

struct SettingsChanged: FeatureEvent {
    let revision: Int
    let author: String
    let paths: [String]

    init(_ outcome: SettingsOutcome, author: String) {
        revision = outcome.revision
        self.author = author
        paths = outcome.changes.map(\.path)
    }

    static let about = EventAbout(.service, "settingsChanged", "Settings were changed and are in force.")
    static let shape = Shape<Self>([
        .value("revision", \.revision, .count, "the new revision"),
        .value("author", \.author, .text, "the interface that the change came by"),
        .value("paths", \.paths, .list(of: .text), "the settings that changed"),
    ])
}

struct SettingsRefused: FeatureEvent {
    let source: String
    let why: String

    static let about = EventAbout(
        .service, "settingsRefused", "A document was passed over at the start; the last good one is in force.")
    static let shape = Shape<Self>([
        .value("source", \.source, .text, "file or revision"),
        .value("why", \.why, .text, "what is wrong with it"),
    ])
}
