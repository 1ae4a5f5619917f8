// SPDX-License-Identifier: Apache-2.0
import Commands
import Hosting
import JSON
import Journal
import Shapes
import System
import Time
import Venue

/// The feature that shows and changes the settings (SVM-12, SVM-18, SVM-19, SVM-20, SVM-22). `SettingsStore` does the work;
/// each feature prepares and commits its own part. A change that may cost the picture is watched here until it has proved
/// itself, and taken back otherwise (SVM-21).
public final class Configuration: Feature {
    public static let summary = """
        the settings, shown and changed while the box plays: `config`, `config-set`, `-reset`, `-merge`, `-replace`, \
        `-check`, `-explain`; a change proves itself or is taken back: `config-confirm`, `-rollback`, `-history`, `-diff`
        """

    /// What Configuration observes of the rest of the box. The product provides this value.
    public struct Sources {
        /// Whether an interface that the service may use is up and has an address.
        public var hasNetwork: () -> Bool
        /// The number of announcements that were received since the start.
        public var announcements: () -> UInt64
        /// The number of answers of the server that has orders for the box, since the start; nil if none is asked.
        public var serverAnswers: () -> UInt64? = { nil }
        /// Whether the main region shows pictures of the session that was asked for.
        public var hasPicture: () -> Bool
        /// Whether the router answers, or the settings want none.
        public var reachesGateway: () -> Bool
        /// The instant at which a caller that counts for `WorkingCondition.caller` was last served by HTTP; nil before the
        /// first.
        public var lastCaller: () -> Monotonic? = { nil }
        /// Ends the service, which is started again by what supervises it.
        public var restart: () -> Void

        public init(
            hasNetwork: @escaping () -> Bool, announcements: @escaping () -> UInt64,
            hasPicture: @escaping () -> Bool, reachesGateway: @escaping () -> Bool, restart: @escaping () -> Void
        ) {
            self.hasNetwork = hasNetwork
            self.announcements = announcements
            self.hasPicture = hasPicture
            self.reachesGateway = reachesGateway
            self.restart = restart
        }
    }

    public static var commands: [Handler<Configuration>] {
        [
            Handler(ShowSettings.self), Handler(ExplainSetting.self), Handler(SetSetting.self),
            Handler(ResetSetting.self), Handler(MergeSettings.self), Handler(ReplaceSettings.self),
            Handler(CheckSettings.self), Handler(ConfirmSettings.self), Handler(RollBackSettings.self),
            Handler(ListRevisions.self), Handler(CompareRevisions.self),
        ]
    }
    public static var events: [EventDescription] {
        [
            EventDescription(SettingsChanged.self), EventDescription(SettingsConfirmed.self),
            EventDescription(SettingsTakenBack.self), EventDescription(SettingsRefused.self),
        ]
    }
    public static var sections: [SectionDescription] { [SectionDescription(ConfirmationSettings.self)] }

    let store: SettingsStore
    private let context: FeatureContext
    private let log: Log
    private let sources: Sources
    /// The instant at which the last announcement came, or the last answer of the server, and how many there were then.
    private var heard: [WorkingCondition: (at: Monotonic, count: UInt64)] = [:]
    /// How long ago it may have come to count, or a caller. Head-ends repeat their announcements more often.
    private static let heardAge = Nanoseconds.seconds(60)

    public init(_ context: FeatureContext) throws(Status) {
        self.context = context
        store = context.settings
        log = context.journal.log(for: "settings")
        sources = context.provided(Sources.self)
        store.confirmationTimes = store.running[ConfirmationSettings.self].times
        store.follow(ConfirmationSettings.self) { [unowned store] in store.confirmationTimes = $0.times }
        store.working = { [weak self] in self?.working(since: nil, at: SystemClock.monotonic()) ?? [] }
    }

    /// Tells which documents were passed over when the box started.
    public func start() {
        for refusal in context.provided([SettingsRefusal].self) {
            log(.error, "settings refused", ["source": refusal.source, "why": refusal.why])
            context.emit(SettingsRefused(source: refusal.source, why: refusal.why))
        }
    }

    public func tick(at now: Monotonic) {
        for (condition, count) in [(.announcements, sources.announcements()), (.server, sources.serverAnswers() ?? 0)]
            as [(WorkingCondition, UInt64)] where count != heard[condition]?.count ?? 0
        {
            heard[condition] = (now, count)
        }
        guard let pending = store.pending else { return }
        switch store.observe(working(since: pending.watch.began ?? now, at: now), at: now) {
        case .wait: break
        case .confirm: confirm { _ in }
        case .takeBack(let missing):
            takeBack(because: "\(missing.absences) within \(pending.watch.times.within.seconds) s") { _ in }
        }
    }

    /// - Parameter since: the instant after which an announcement, an answer of the server or a caller has to come; nil takes
    ///   any that came lately.
    private func working(since: Monotonic?, at now: Monotonic) -> Set<WorkingCondition> {
        func counts(_ instant: Monotonic) -> Bool {
            since.map { instant > $0 } ?? (now - instant < Self.heardAge)
        }
        var working: Set<WorkingCondition> = []
        if sources.hasNetwork() { working.insert(.network) }
        if sources.reachesGateway() { working.insert(.gateway) }
        if sources.hasPicture() { working.insert(.picture) }
        for (condition, heard) in heard where counts(heard.at) { working.insert(condition) }
        // Settings that name no server any more have none to miss.
        if since != nil, sources.serverAnswers() == nil { working.insert(.server) }
        if let called = sources.lastCaller(), counts(called) { working.insert(.caller) }
        return working
    }

    // MARK: Changes

    func change(
        _ edit: SettingsEdit, from caller: Caller, _ terms: SettingsTerms, _ reply: Reply<SettingsReport>
    ) {
        var signed = terms
        signed.author = caller.author
        store.change(edit, from: caller.origin, signed) { [weak self, log] result in
            switch result {
            case .success(let outcome):
                log(
                    .debug, terms.isTrial ? "change tried" : "changed",
                    [
                        "revision": outcome.revision,
                        "paths": outcome.changes.map(\.path).joined(separator: " "),
                    ])
                if !terms.isTrial, !outcome.changes.isEmpty { self?.tell(outcome) }
                reply(.success(SettingsReport(outcome)))
            case .failure(let failure): reply(.failure(failure.status))
            }
        }
    }

    func confirm(_ end: @escaping (Status?) -> Void) {
        let revision = store.revision.number
        store.confirm { [context, log] failure in
            if let failure {
                log(.error, "settings not confirmed", ["revision": revision, "error": failure])
            } else {
                log(.notice, "settings confirmed", ["revision": revision])
                context.emit(SettingsConfirmed(revision: revision))
            }
            end(failure?.status)
        }
    }

    /// Returns to the last confirmed revision. If that cannot be done while the box plays, the service starts again, which
    /// does it.
    func takeBack(
        because why: String, author: String? = nil, _ end: @escaping (Result<SettingsReport, Status>) -> Void
    ) {
        let revision = store.revision.number
        store.takeBack(because: "revision \(revision) was taken back: \(why)", author: author) {
            [weak self, context, log, sources] result in
            switch result {
            case .success(let outcome):
                log(.warning, "settings taken back", ["revision": revision, "why": why, "now": outcome.revision])
                self?.tell(outcome)
                context.emit(SettingsTakenBack(revision: revision, why: why))
                end(.success(SettingsReport(outcome)))
                // They were in force since the start, so that only another start is without them.
                if outcome.changes.contains(where: { $0.effect == .needsRestart }) { sources.restart() }
            case .failure(let failure):
                end(.failure(failure.status))
                if case .nothingPending = failure { return }
                log(.error, "settings not taken back", ["revision": revision, "why": why, "error": failure])
                sources.restart()
            }
        }
    }

    private func tell(_ outcome: SettingsOutcome) {
        context.emit(SettingsChanged(outcome, author: store.revision.author))
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

    /// What has to prove itself.
    struct Confirmation: Answer {
        let pending: PendingConfirmation

        static let shape = Shape<Self>([
            .value("returnTo", \.pending.returnTo.number, .count, "the revision that is in force again otherwise"),
            .computed("withinS", .count, "the time in which it has to prove itself") {
                Int($0.pending.watch.times.within.seconds)
            },
            .computed(
                "expected", .list(of: .text),
                "what worked before: network, gateway, announcements, server, picture, caller"
            ) {
                $0.pending.watch.expected.map(\.rawValue).sorted()
            },
            .value("awaitsRestart", \.pending.awaitsRestart, .boolean, "whether it does so after a restart only"),
        ])
    }

    let revision: Int
    let changes: [Row]
    let confirmation: Confirmation?

    init(_ outcome: SettingsOutcome) {
        revision = outcome.revision
        changes = outcome.changes.map { Row(path: $0.path, effect: $0.effect) }
        confirmation = outcome.confirmation.map { Confirmation(pending: $0) }
    }

    static let shape = Shape<Self>([
        .value("changes", \.changes, .list(of: .row), "settings whose value differs"),
        .value("revision", \.revision, .count, "that is in force; 0: none was written"),
        .unlessNil("confirmation", \.confirmation, .row, "how the change has to prove itself; absent: it need not"),
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

struct SettingsConfirmed: FeatureEvent {
    let revision: Int

    static let about = EventAbout(.service, "settingsConfirmed", "A change of settings has proved itself.")
    static let shape = Shape<Self>([.value("revision", \.revision, .count, "the confirmed revision")])
}

struct SettingsTakenBack: FeatureEvent {
    let revision: Int
    let why: String

    static let about = EventAbout(
        .service, "settingsTakenBack", "A change of settings was taken back; the settings before it are in force.")
    static let shape = Shape<Self>([
        .value("revision", \.revision, .count, "the revision that was taken back"),
        .value("why", \.why, .text, "what did not work"),
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
