// SPDX-License-Identifier: Apache-2.0
import Commands
import JSON
import Shapes
import System
import Time
import Venue

/// The owner of the settings. It changes them in a transaction: the whole new document is checked, prepared by each
/// feature that it concerns, staged on the disk, committed by these features and published. If a step fails, everything
/// stays as it was. Changes are made one after the other.
///
/// A change that may cost the picture has to be confirmed, by `observe` or by `confirm`, or it is taken back. Until then
/// the disk says so, and a box that is cut off starts with the last confirmed revision.
///
/// - Thread: the control loop's thread only. It does not wait for the disk.
public final class SettingsStore {
    /// The most changes that may wait for their turn.
    private static let waitingLimit = 16

    /// The description of the whole document.
    public let kind: ValueKind
    /// The settings of the image. They lie below the revisions: where a revision says nothing, these hold.
    public let image: JSONValue
    /// The revision in force.
    public private(set) var revision: SettingsRevision
    /// The settings that are in effect, with all defaults. Fields that need a restart keep the value that they had at
    /// start.
    public private(set) var running: SettingsView
    let sections: [SectionDescription]
    private let consistency: (JSONValue) -> [Problem]
    let archive: any SettingsArchive
    /// The document that was found valid last, with the image below it, and the same with all defaults.
    private var valid: (document: JSONValue, effective: JSONValue)
    private var participants: [Participant] = []
    private var waiting: ArraySlice<Task> = []
    private(set) var isChanging = false

    /// The revision in force if it is not confirmed yet; nil if it is.
    public internal(set) var pending: PendingConfirmation?
    /// The revisions that are kept, the newest first. The first one is in force.
    public internal(set) var history: [SettingsRevision]
    /// Gives what works now. A change is expected to leave it working.
    public var working: () -> Set<WorkingCondition> = { [] }
    /// The times in which a change has to prove itself.
    public var confirmationTimes = ConfirmationWatch.Times(within: .seconds(60), steady: .seconds(5)) {
        didSet {
            // A revision that the box has started with has not been observed yet.
            if let pending, pending.watch.began == nil {
                self.pending?.watch = ConfirmationWatch(pending.watch.expected, confirmationTimes)
            }
        }
    }
    /// Whether every change stays unconfirmed until somebody confirms it, because a restart is to come that shall be without
    /// it. Of a change that proves itself meanwhile the proof counts when this ends.
    public var holdsChanges = false
    /// The wall-clock time of new revisions, by RFC 3339.
    public var wallTime: () -> String = { SystemClock.wall().description }

    /// A struct, because an array of closures with typed throws crashes the compiler of 6.3.1.
    private struct Participant {
        let sections: Set<String>
        let prepare: (SettingsView) throws(Status) -> Preparation
    }

    /// What is done one after the other.
    private enum Task {
        case change(Change)
        case confirm(answer: (SettingsFailure?) -> Void)
    }

    private struct Change {
        let edit: SettingsEdit
        let origin: Origin
        let terms: SettingsTerms
        /// Whether the change takes back the one that is not confirmed.
        let takesBack: Bool
        let answer: (Result<SettingsOutcome, SettingsFailure>) -> Void
    }

    /// A change that was checked and prepared.
    private struct Prepared {
        let next: SettingsView
        let revision: SettingsRevision
        let changes: [SettingChange]
        let pending: PendingConfirmation?
        let steps: [(section: String, Preparation)]
        let answer: (Result<SettingsOutcome, SettingsFailure>) -> Void
    }

    /// - Parameters:
    ///   - revision: the one in force. If it is not confirmed, it has to prove itself from now on.
    ///   - earlier: the other revisions that are kept, the newest first.
    ///   - consistency: checks the rules between sections. Its argument is the document with all defaults.
    /// - Throws: `.invalid` if the document has problems.
    public init(
        _ sections: [SectionDescription], image: JSONValue = [:], revision: SettingsRevision = .none,
        earlier: [SettingsRevision] = [], archive: any SettingsArchive,
        consistency: @escaping (JSONValue) -> [Problem] = { _ in [] }
    ) throws(SettingsFailure) {
        self.sections = sections
        history = [revision] + earlier
        self.image = image
        self.revision = revision
        self.consistency = consistency
        self.archive = archive
        kind = .record(sections.map(\.field))
        running = SettingsView([:])
        valid = ([:], kind.completing([:]))
        guard image.object != nil else { throw .invalid([Problem(path: "", value: image, expectation: "an object")]) }
        running = SettingsView(try effective(revision.document))
        if let unconfirmed = revision.unconfirmed {
            pending = PendingConfirmation(
                returnTo: earlier.first { $0.number == unconfirmed.returnTo } ?? .none,
                watch: ConfirmationWatch(unconfirmed.expected, confirmationTimes), awaitsRestart: false)
        }
    }

    /// Adds a participant in changes of these sections. Participants prepare and commit in the order in which they were
    /// attached.
    /// - Parameter prepare: is called with the new settings if one of the sections changes. It throws to refuse the
    ///   change.
    public func attach(
        _ sections: [String], prepare: @escaping (SettingsView) throws(Status) -> Preparation
    ) {
        participants.append(Participant(sections: Set(sections), prepare: prepare))
    }

    /// The document as it was written. A field that is absent has the image's value, or its default.
    public var written: JSONValue { revision.document }

    /// The settings as they are shown: with all defaults, and with secrets masked (SVM-20).
    public var shown: JSONValue { kind.redacting(kind.completing(merged(written))) }

    func merged(_ document: JSONValue) -> JSONValue { image.merging(patch: document) }

    // MARK: Changes

    /// Changes settings.
    /// - Parameters:
    ///   - terms: who makes the change, why, and under which conditions.
    ///   - answer: called once, on this thread: when the change is in effect and on the disk, or when it has failed and
    ///     everything is as before.
    public func change(
        _ edit: SettingsEdit, from origin: Origin, _ terms: SettingsTerms = SettingsTerms(),
        _ answer: @escaping (Result<SettingsOutcome, SettingsFailure>) -> Void
    ) {
        let change = Change(edit: edit, origin: origin, terms: terms, takesBack: false, answer: answer)
        enqueue(.change(change)) { answer(.failure($0)) }
    }

    /// Confirms the revision in force before it has proved itself.
    /// - Parameter answer: called once, on this thread: with nil when that is on the disk, or with why it is not.
    public func confirm(_ answer: @escaping (SettingsFailure?) -> Void) { enqueue(.confirm(answer: answer), answer) }

    /// Returns to the last confirmed revision. This makes a new revision, which is confirmed.
    /// - Parameters:
    ///   - why: the comment of the new revision.
    ///   - author: nil if the box does so by itself.
    ///   - answer: as for `change`.
    public func takeBack(
        because why: String, author: String? = nil,
        _ answer: @escaping (Result<SettingsOutcome, SettingsFailure>) -> Void
    ) {
        guard let pending else { return answer(.failure(.nothingPending)) }
        let terms = SettingsTerms(author: author ?? SettingsRevision.ownAuthor, comment: why)
        // The document was in force, so the box may return to it whoever asks.
        let change = Change(
            edit: .replace(pending.returnTo.document), origin: .localSocket, terms: terms, takesBack: true,
            answer: answer)
        enqueue(.change(change)) { answer(.failure($0)) }
    }

    private func enqueue(_ task: Task, _ refuse: (SettingsFailure) -> Void) {
        guard waiting.count < Self.waitingLimit else {
            let why = "\(Self.waitingLimit) changes wait already; expected fewer"
            return refuse(.notWritten(.failure(.busy, why)))
        }
        waiting.append(task)
        beginNext()
    }

    private func beginNext() {
        guard !isChanging, let task = waiting.popFirst() else { return }
        isChanging = true
        switch task {
        case .confirm(let answer):
            guard pending != nil else { return end { answer(.nothingPending) } }
            keepConfirmed { [self] problem in end { answer(problem.map { .notWritten($0) }) } }
        case .change(let change): begin(change)
        }
    }

    private func begin(_ change: Change) {
        do throws(SettingsFailure) {
            let prepared = try prepare(change)
            let isNews = !prepared.changes.isEmpty || prepared.revision.document != written || change.takesBack
            guard !change.terms.isTrial, isNews else {
                discard(prepared.steps[...])
                return end(change.answer, .success(outcome(prepared.changes, prepared.pending)))
            }
            archive.stage(prepared.revision) { [self] problem in staged(prepared, problem) }
        } catch {
            end(change.answer, .failure(error))
        }
    }

    private func prepare(_ change: Change) throws(SettingsFailure) -> Prepared {
        let terms = change.terms
        if let base = terms.base, base != revision.number { throw .conflict(base: base, inForce: revision) }
        if change.takesBack, pending == nil { throw .nothingPending }
        let document = try document(after: change.edit)
        // In this order, so that only the sections that differ from those in force are checked.
        let now = try effective(written)
        let wanted = try effective(document)
        if !change.origin.mayChangeLocalSettings {
            if let path = kind.localChange(from: now, to: wanted) { throw .localOnly(path: path, change.origin) }
        }
        let changes = differences(wanted)
        let next = SettingsView(keepingRestartFields(wanted, changes))
        // What waits for a restart since an earlier change is no risk of this one.
        let own = changes.filter { wanted.at($0.path) != now.at($0.path) }
        let pending = change.takesBack ? nil : confirmation(of: own, within: terms.confirmWithin)
        let revision = SettingsRevision(
            number: revision.number + 1, author: terms.author ?? change.origin.rawValue, document: document,
            time: wallTime(), comment: terms.comment, unconfirmed: pending.map { unconfirmed($0) })
        return Prepared(
            next: next, revision: revision, changes: changes, pending: pending, steps: try prepare(next),
            answer: change.answer)
    }

    /// The written document after the edit, without nulls.
    private func document(after edit: SettingsEdit) throws(SettingsFailure) -> JSONValue {
        func patched(_ patch: JSONValue) -> JSONValue { written.merging(patch: patch) }
        let document: JSONValue
        switch edit {
        case .merge(let patch): document = patched(patch)
        case .replace(let whole): document = whole.object == nil ? whole : ([:] as JSONValue).merging(patch: whole)
        case .set(let path, let value): document = patched(try path.patch(value, of: kind, now: merged(written)))
        case .reset(let path): document = patched(try path.patch(nil, of: kind, now: merged(written)))
        }
        return kind.unmasking(document, with: merged(written))
    }

    /// The document with the image below it and all defaults. Sections that are those of the last valid document are
    /// not checked again: a line-up may be long.
    private func effective(_ document: JSONValue) throws(SettingsFailure) -> JSONValue {
        guard document.object != nil else { throw .invalid(kind.problems(of: document)) }
        let whole = merged(document)
        let same = Set(sections.map(\.name).filter { whole[$0] == valid.document[$0] })
        var changed = whole
        for name in same { changed[name] = nil }
        var problems = kind.problems(of: changed)
        guard problems.isEmpty else { throw .invalid(problems) }
        var effective = kind.completing(changed)
        for name in same { effective[name] = valid.effective[name] }
        // The rules between fields assume that each field is valid by itself.
        problems = sections.filter { !same.contains($0.name) }.flatMap { $0.problems(effective[$0.name] ?? .null) }
        problems += consistency(effective)
        guard problems.isEmpty else { throw .invalid(problems) }
        valid = (whole, effective)
        return effective
    }

    private func prepare(_ next: SettingsView) throws(SettingsFailure) -> [(section: String, Preparation)] {
        let changed = sections.map(\.name).filter { next.document[$0] != running.document[$0] }
        var ready: [(section: String, Preparation)] = []
        for participant in participants {
            guard let section = changed.first(where: participant.sections.contains) else { continue }
            do {
                ready.append((section, try participant.prepare(next)))
            } catch {
                discard(ready[...])
                throw .refused(section: section, error)
            }
        }
        return ready
    }

    private func staged(_ prepared: Prepared, _ problem: Status?) {
        if let problem {
            discard(prepared.steps[...])
            return end(prepared.answer, .failure(.notWritten(problem)))
        }
        commit(prepared, from: 0)
    }

    /// Commits the steps from this one on, each after the one before has ended, and publishes the revision.
    private func commit(_ prepared: Prepared, from index: Int) {
        guard index < prepared.steps.count else { return publish(prepared) }
        let (section, step) = prepared.steps[index]
        step.commit { [self] problem in
            guard let problem else { return commit(prepared, from: index + 1) }
            undo(prepared.steps[..<index])
            discard(prepared.steps[(index + 1)...])
            archive.abandon()
            end(prepared.answer, .failure(.rolledBack(section: section, problem)))
        }
    }

    private func publish(_ prepared: Prepared) {
        let before = running
        running = prepared.next
        archive.publish(keeping: numbers(with: prepared.revision)) { [self] problem in
            if let problem {
                running = before
                undo(prepared.steps[...])
                archive.abandon()
                return end(prepared.answer, .failure(.notWritten(problem)))
            }
            enter(prepared.revision, prepared.pending)
            end(prepared.answer, .success(outcome(prepared.changes, prepared.pending)))
        }
    }

    private func outcome(_ changes: [SettingChange], _ pending: PendingConfirmation?) -> SettingsOutcome {
        SettingsOutcome(revision: revision.number, changes: changes, confirmation: pending)
    }

    /// Puts a published revision in force.
    private func enter(_ next: SettingsRevision, _ pending: PendingConfirmation?) {
        revision = next
        self.pending = pending
        history = kept(with: next)
    }

    private func kept(with next: SettingsRevision) -> [SettingsRevision] {
        SettingsRevision.kept(of: [next] + history.filter { $0.number != next.number && $0.number > 0 })
    }

    private func numbers(with next: SettingsRevision) -> Set<Int> { Set(kept(with: next).map(\.number)) }

    /// Writes the revision in force once more, as a confirmed one.
    private func keepConfirmed(_ done: @escaping (Status?) -> Void) {
        let confirmed = revision.confirmed
        archive.stage(confirmed) { [self] problem in
            if let problem { return done(problem) }
            archive.publish(keeping: numbers(with: confirmed)) { [self] problem in
                // What was staged replaces the file in force, so it is not removed; the next try writes it again.
                if let problem { return done(problem) }
                // What was changed on the way is confirmed with it.
                let returnTo = pending?.returnTo.number ?? 0
                history = history.map { $0.number > returnTo ? $0.confirmed : $0 }
                enter(confirmed, nil)
                done(nil)
            }
        }
    }

    private func end(
        _ answer: (Result<SettingsOutcome, SettingsFailure>) -> Void, _ result: Result<SettingsOutcome, SettingsFailure>
    ) {
        end { answer(result) }
    }

    private func end(_ answer: () -> Void) {
        isChanging = false
        answer()
        beginNext()
    }

    private func discard(_ steps: ArraySlice<(section: String, Preparation)>) {
        for (_, step) in steps.reversed() { step.discard() }
    }

    private func undo(_ committed: ArraySlice<(section: String, Preparation)>) {
        for (_, step) in committed.reversed() { step.undo() }
    }
}
