// SPDX-License-Identifier: Apache-2.0
import Commands
import FeatureTesting
import JSON
import Settings
import Shapes
import TestSupport
import Testing
import Venue

@testable import Box
@testable import Hosting

/// The settings of a box without a box: features that may refuse or fail, and a disk that may be full.
final class SettingsBench {
    /// What is made to fail in a change. A participant that the change does not concern does not fail.
    enum Accident: CaseIterable { case none, refusal, failure, staging, publication }

    /// Holds the sections that it was given last, as a feature does.
    private final class Participant {
        let sections: [String]
        private(set) var held: JSONValue = [:]
        private(set) var reservations = 0
        var accident = Accident.none
        private(set) var hadAccident = false

        init(_ sections: [String]) { self.sections = sections }

        func attach(to store: SettingsStore) {
            held = part(of: store.running.document)
            store.attach(sections) { [unowned self] (next) throws(Status) in try prepare(next.document) }
        }

        func begin(_ accident: Accident) {
            self.accident = accident
            hadAccident = false
        }

        func part(of document: JSONValue) -> JSONValue {
            var part: JSONValue = [:]
            for name in sections { part[name] = document[name] }
            return part
        }

        private func prepare(_ document: JSONValue) throws(Status) -> Preparation {
            if accident == .refusal {
                hadAccident = true
                throw .failure(.failed, "no such device")
            }
            reservations += 1
            let (before, next) = (held, part(of: document))
            return Preparation(
                discard: { [unowned self] in reservations -= 1 }, undo: { [unowned self] in held = before },
                commit: { [unowned self] () throws(Status) in try commit(next) })
        }

        private func commit(_ next: JSONValue) throws(Status) {
            reservations -= 1
            if accident == .failure {
                hadAccident = true
                throw .failure(.failed, "it broke")
            }
            held = next
        }
    }

    /// Everything that a change may change.
    private struct State: Equatable {
        let written, shown, running: JSONValue
        let revision: SettingsRevision
        let kept: SettingsRevision?
        let held: [JSONValue]
    }

    private let archive = MemoryArchive()
    private let store: SettingsStore
    private let participants: [Participant]
    private(set) var takenCount = 0
    private(set) var refusedCount = 0

    init() throws {
        store = try SettingsStore(Box.sections, archive: archive, consistency: Settings.problems)
        let names = Box.sections.map(\.name)
        participants = [
            Participant(Array(names.prefix(8))), Participant(["playback", "network", "sound"]), Participant(names),
        ]
        for participant in participants { participant.attach(to: store) }
    }

    private var state: State {
        State(
            written: store.written, shown: store.shown, running: store.running.document, revision: store.revision,
            kept: archive.kept, held: participants.map(\.held))
    }

    // MARK: Changes

    /// Makes the change of this seed and checks what has become of it.
    func change(seed: UInt64) throws {
        var random = SplitMix64(seed: seed &+ Effort.seed)
        var generator = DocumentGenerator(seed: random.next(), density: random.one(of: [4, 8, 16, 40]))
        let fault = random.percent(40) ? generator.faulty(store.kind) : nil
        let document = fault?.value ?? generator.value(of: store.kind)
        let isTrial = random.percent(10)
        let origin: Origin = random.percent(25) ? .http : .localSocket
        try prove(&random)
        let accident = random.percent(50) ? Accident.none : random.one(of: Accident.allCases)
        for participant in participants { participant.begin(random.percent(50) ? accident : .none) }
        (archive.failsToStage, archive.failsToPublish) = (accident == .staging, accident == .publication)

        let isWhole = random.percent(50)
        let edit: SettingsEdit = isWhole ? .replace(document) : .merge(document)
        let wanted = (isWhole ? [:] : store.written).merging(patch: document)
        let before = state
        var results: [Result<SettingsOutcome, SettingsFailure>] = []
        store.change(edit, from: origin, SettingsTerms(isTrial: isTrial)) { results.append($0) }

        let result = try #require(results.first, "no answer")
        #expect(results.count == 1)
        #expect(participants.allSatisfy { $0.reservations == 0 }, "something stays reserved")
        #expect(archive.staged == nil)
        switch result {
        case .success(let outcome):
            takenCount += 1
            #expect(fault == nil && !participants.contains(where: \.hadAccident), "\(document)")
            if isTrial { #expect(state == before, "a trial changes something") } else { checkTaken(wanted, outcome) }
        case .failure(let failure):
            refusedCount += 1
            #expect(state == before, "\(failure): not as before")
            check(failure, of: wanted, fault: fault, accident: accident)
        }
    }

    /// Ends the wait of an unconfirmed change, one way or the other.
    private func prove(_ random: inout SplitMix64) throws {
        guard let pending = store.pending, random.percent(30) else { return }
        for participant in participants { participant.begin(.none) }
        (archive.failsToStage, archive.failsToPublish) = (false, false)
        if random.percent(50) {
            let written = store.written
            store.confirm { #expect($0 == nil) }
            #expect(store.written == written && archive.kept == store.revision)
        } else {
            store.takeBack(because: "by chance") { #expect((try? $0.get()) != nil) }
            #expect(store.written == pending.returnTo.document)
            for participant in participants {
                #expect(participant.held == participant.part(of: store.running.document))
            }
        }
        #expect(store.pending == nil && archive.kept?.unconfirmed == nil)
    }

    /// Everything is the new document.
    private func checkTaken(_ wanted: JSONValue, _ outcome: SettingsOutcome) {
        #expect(store.written == wanted)
        #expect(outcome.revision == store.revision.number)
        #expect(store.revision.number == 0 || archive.kept == store.revision)
        #expect(store.shown == store.kind.redacting(store.kind.completing(wanted)))
        for participant in participants { #expect(participant.held == participant.part(of: store.running.document)) }
        // What waits for a restart is told each time, and differs from what runs until then.
        let waiting = outcome.changes.filter { $0.effect == .needsRestart }
        for change in waiting { #expect(store.shown.at(change.path) != store.running.document.at(change.path)) }
        if waiting.isEmpty { #expect(store.kind.redacting(store.running.document) == store.shown) }
    }

    private func check(
        _ failure: SettingsFailure, of wanted: JSONValue, fault: DocumentGenerator.Faulty?, accident: Accident
    ) {
        let text = failure.description
        #expect(!text.isEmpty)
        switch failure {
        case .invalid(let problems):
            if let fault {
                #expect(problems.contains { $0.path == fault.path }, "\(fault.path): \(text)")
            } else {
                let effective = store.kind.completing(wanted)
                let ofSections = Box.sections.flatMap { $0.problems(effective[$0.name] ?? .null) }
                #expect(problems == ofSections + Settings.problems(of: effective), "\(text)")
            }
            for problem in problems {
                #expect(!problem.expectation.isEmpty && text.contains(problem.expectation), "\(problem)")
                #expect(text.contains(problem.path.isEmpty ? "the document" : problem.path), "\(problem)")
            }
        case .refused(let section, _), .rolledBack(let section, _):
            #expect(text.hasPrefix(section) && participants.contains(where: \.hadAccident))
        case .notWritten: #expect(accident == .staging || accident == .publication)
        case .localOnly(let path, let origin): #expect(text.contains(path) && origin == .http && fault == nil)
        case .unknownPath, .conflict, .unknownRevision, .nothingPending: Issue.record("not asked for: \(text)")
        }
    }
}
