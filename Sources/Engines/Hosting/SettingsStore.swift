// SPDX-License-Identifier: Apache-2.0
import Commands
import JSON
import Shapes
import Venue

/// The owner of the settings. It changes them in a transaction: the whole new document is checked, prepared by each
/// feature that it concerns, staged on the disk, committed by these features and published. If a step fails, everything
/// stays as it was. Changes are made one after the other.
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
    private let archive: any SettingsArchive
    /// The document that was found valid last, with the image below it, and the same with all defaults.
    private var valid: (document: JSONValue, effective: JSONValue)
    private var participants: [Participant] = []
    private var waiting: ArraySlice<Change> = []
    private var isChanging = false

    /// A struct, because an array of closures with typed throws crashes the compiler of 6.3.1.
    private struct Participant {
        let sections: Set<String>
        let prepare: (SettingsView) throws(Status) -> Preparation
    }

    private struct Change {
        let edit: SettingsEdit
        let origin: Origin
        let isTrial: Bool
        let answer: (Result<SettingsOutcome, SettingsFailure>) -> Void
    }

    /// A change that was checked and prepared.
    private struct Prepared {
        let next: SettingsView
        let revision: SettingsRevision
        let changes: [SettingChange]
        let steps: [(section: String, Preparation)]
        let answer: (Result<SettingsOutcome, SettingsFailure>) -> Void
    }

    /// - Parameters:
    ///   - consistency: checks the rules between sections. Its argument is the document with all defaults.
    /// - Throws: `.invalid` if the document has problems.
    public init(
        _ sections: [SectionDescription], image: JSONValue = [:], revision: SettingsRevision = .none,
        archive: any SettingsArchive, consistency: @escaping (JSONValue) -> [Problem] = { _ in [] }
    ) throws(SettingsFailure) {
        self.sections = sections
        self.image = image
        self.revision = revision
        self.consistency = consistency
        self.archive = archive
        kind = .record(sections.map(\.field))
        running = SettingsView([:])
        valid = ([:], kind.completing([:]))
        guard image.object != nil else { throw .invalid([Problem(path: "", value: image, expectation: "an object")]) }
        running = SettingsView(try effective(revision.document))
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
    ///   - isTrial: whether the change is only checked and prepared, but not written and committed.
    ///   - answer: called once, on this thread: when the change is in effect and on the disk, or when it has failed and
    ///     everything is as before.
    public func change(
        _ edit: SettingsEdit, from origin: Origin, isTrial: Bool = false,
        _ answer: @escaping (Result<SettingsOutcome, SettingsFailure>) -> Void
    ) {
        guard waiting.count < Self.waitingLimit else {
            let why = "\(Self.waitingLimit) changes wait already; expected fewer"
            return answer(.failure(.notWritten(.failure(.busy, why))))
        }
        waiting.append(Change(edit: edit, origin: origin, isTrial: isTrial, answer: answer))
        beginNext()
    }

    private func beginNext() {
        guard !isChanging, let change = waiting.popFirst() else { return }
        isChanging = true
        do throws(SettingsFailure) {
            let prepared = try prepare(change)
            guard !change.isTrial, !prepared.changes.isEmpty || prepared.revision.document != written else {
                discard(prepared.steps[...])
                return end(change.answer, .success(outcome(prepared.changes)))
            }
            archive.stage(prepared.revision) { [self] problem in staged(prepared, problem) }
        } catch {
            end(change.answer, .failure(error))
        }
    }

    private func prepare(_ change: Change) throws(SettingsFailure) -> Prepared {
        let document = try document(after: change.edit)
        // In this order, so that only the sections that differ from those in force are checked.
        let now = try effective(written)
        let wanted = try effective(document)
        if change.origin == .http || change.origin == .dataChannel {
            if let path = kind.localChange(from: now, to: wanted) { throw .localOnly(path: path, change.origin) }
        }
        let changes = differences(wanted)
        let next = SettingsView(keepingRestartFields(wanted, changes))
        let revision = SettingsRevision(
            number: revision.number + 1, author: change.origin.rawValue, document: document)
        return Prepared(
            next: next, revision: revision, changes: changes, steps: try prepare(next), answer: change.answer)
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
        archive.publish { [self] problem in
            if let problem {
                running = before
                undo(prepared.steps[...])
                archive.abandon()
                return end(prepared.answer, .failure(.notWritten(problem)))
            }
            revision = prepared.revision
            end(prepared.answer, .success(outcome(prepared.changes)))
        }
    }

    private func outcome(_ changes: [SettingChange]) -> SettingsOutcome {
        SettingsOutcome(revision: revision.number, changes: changes)
    }

    private func end(
        _ answer: (Result<SettingsOutcome, SettingsFailure>) -> Void, _ result: Result<SettingsOutcome, SettingsFailure>
    ) {
        isChanging = false
        answer(result)
        beginNext()
    }

    private func discard(_ steps: ArraySlice<(section: String, Preparation)>) {
        for (_, step) in steps.reversed() { step.discard() }
    }

    private func undo(_ committed: ArraySlice<(section: String, Preparation)>) {
        for (_, step) in committed.reversed() { step.undo() }
    }
}
