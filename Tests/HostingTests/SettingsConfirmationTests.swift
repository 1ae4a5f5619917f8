// SPDX-License-Identifier: Apache-2.0
import Commands
import FeatureTesting
import JSON
import Shapes
import TestSupport
import Testing
import Time
import Venue

@testable import Hosting

private struct StageSection: SettingsSection {
    static let name = "stage"
    static let help = "What is shown."
    var layout = "full"
    var label = ""
    var card = 0
    var port = 1

    static let shape = Shape<Self>([
        .setting("layout", \.layout, .text(1...16), .interruptsPicture, "Layout."),
        .setting("label", \.label, .text(0...16), .atOnce, "Label."),
        .setting("card", \.card, .integer(0...9), .needsRestart, "Card."),
        .setting("port", \.port, .integer(0...9), .interruptsControl, "Port."),
    ])
}

/// A change that may cost the picture has to be confirmed, or it is taken back (SVM-21).
@Suite struct SettingsConfirmationTests {
    private let disk = MemoryArchive()
    private let before = SettingsRevision(number: 4, author: "test", document: ["stage": ["label": "before"]])

    private func makeStore(_ revision: SettingsRevision? = nil) throws -> SettingsStore {
        let store = try SettingsStore(
            [SectionDescription(StageSection.self)], revision: revision ?? before,
            earlier: revision == nil ? [] : [before], archive: disk)
        store.working = { [.picture, .network] }
        store.wallTime = { "now" }
        return store
    }

    private func change(
        _ store: SettingsStore, _ patch: JSONValue, _ terms: SettingsTerms = SettingsTerms()
    ) throws -> SettingsOutcome {
        var result: Result<SettingsOutcome, SettingsFailure>?
        store.change(.merge(patch), from: .localSocket, terms) { result = $0 }
        return try #require(result).get()
    }

    private func at(_ seconds: Int64) -> Monotonic { Monotonic(nanoseconds: 1_000_000_000 * seconds) }

    @Test func aChangeThatInterruptsNothingIsConfirmed() throws {
        let store = try makeStore()
        let outcome = try change(store, ["stage": ["label": "x"]], SettingsTerms(author: "Ann", comment: "a label"))
        #expect(outcome.confirmation == nil && store.pending == nil && disk.kept?.unconfirmed == nil)
        #expect(disk.kept?.author == "Ann" && disk.kept?.comment == "a label" && disk.kept?.time == "now")
        #expect(store.history.map(\.number) == [5, 4])
    }

    /// Whoever controls the box has to come back, and nothing else is asked; of other changes no caller is.
    @Test func aChangeThatMayCutCallersOff() throws {
        let store = try makeStore()
        store.working = { [.picture, .network, .caller] }
        let outcome = try change(store, ["stage": ["port": 2]])
        #expect(outcome.confirmation?.watch.expected == [.caller])
        #expect(store.observe([.picture, .network], at: at(0)) == .wait)
        #expect(store.observe([.picture, .network], at: at(60)) == .takeBack(missing: [.caller]))
        // A second change that may cost the picture adds to what has to work.
        let both = try change(store, ["stage": ["layout": "quad"]])
        #expect(both.confirmation?.watch.expected == [.picture, .network, .caller])

        let other = try makeStore()
        other.working = { [.picture, .network, .caller] }
        #expect(try change(other, ["stage": ["layout": "quad"]]).confirmation?.watch.expected == [.picture, .network])
        let quiet = try makeStore()
        #expect(try change(quiet, ["stage": ["port": 2]]).confirmation?.watch.expected == [])
    }

    @Test func aChangeThatInterruptsThePictureIsNotConfirmed() throws {
        let store = try makeStore()
        let outcome = try change(store, ["stage": ["layout": "quad"]])
        #expect(outcome.confirmation?.returnTo == before && outcome.confirmation?.awaitsRestart == false)
        let kept = SettingsRevision.Unconfirmed(returnTo: 4, startsLeft: 0, expected: [.picture, .network])
        #expect(disk.kept?.unconfirmed == kept)

        #expect(store.observe([.picture, .network], at: at(0)) == .wait)
        #expect(store.observe([.picture, .network], at: at(5)) == .confirm)
        var failure: SettingsFailure?? = .none
        store.confirm { failure = .some($0) }
        #expect(failure == .some(nil) && store.pending == nil)
        #expect(disk.kept?.number == 5 && disk.kept?.unconfirmed == nil && store.history.map(\.number) == [5, 4])
        store.confirm { failure = .some($0) }
        #expect(failure == .some(.nothingPending))
    }

    /// Whatever follows an unconfirmed change is unconfirmed with it, and goes with it.
    @Test func takingBackReturnsToTheLastConfirmedRevision() throws {
        let store = try makeStore()
        _ = try change(store, ["stage": ["layout": "quad"]])
        let second = try change(store, ["stage": ["label": "x"]])
        #expect(second.confirmation?.returnTo == before && disk.keptNumbers == [4, 5, 6])
        #expect(store.observe([.network], at: at(0)) == .wait)
        #expect(store.observe([.network], at: at(60)) == .takeBack(missing: [.picture]))
        var result: Result<SettingsOutcome, SettingsFailure>?
        store.takeBack(because: "no picture") { result = $0 }
        let outcome = try #require(result).get()
        #expect(outcome.revision == 7 && outcome.confirmation == nil && store.pending == nil)
        #expect(Set(outcome.changes.map(\.path)) == ["/stage/layout", "/stage/label"])
        #expect(store.written == before.document && store.running[StageSection.self].layout == "full")
        #expect(disk.kept?.author == "touchline" && disk.kept?.comment == "no picture" && disk.kept?.unconfirmed == nil)
        store.takeBack(because: "again") { result = $0 }
        #expect(throws: SettingsFailure.nothingPending) { try #require(result).get() }
    }

    @Test func anAuthorMayAskForAProof() throws {
        let store = try makeStore()
        let outcome = try change(store, ["stage": ["label": "x"]], SettingsTerms(confirmWithin: .seconds(10)))
        #expect(outcome.confirmation?.watch.times.within == .seconds(10))
        #expect(store.observe([], at: at(0)) == .wait)
        #expect(store.observe([], at: at(10)) == .takeBack(missing: [.picture, .network]))
    }

    /// What needs a restart proves itself after it, for which the disk has two starts.
    @Test func aChangeThatNeedsARestartWaitsForIt() throws {
        let store = try makeStore()
        let outcome = try change(store, ["stage": ["card": 1]])
        #expect(outcome.confirmation?.awaitsRestart == true && disk.kept?.unconfirmed?.startsLeft == 2)
        #expect(store.observe([.picture, .network], at: at(0)) == .wait)
        #expect(store.observe([.picture, .network], at: at(50)) == .wait)
        // A change beside it may cost the picture at once, and then goes with it.
        #expect(store.observe([], at: at(60)) == .takeBack(missing: [.picture, .network]))

        var started = try #require(disk.kept)
        started.unconfirmed?.startsLeft = 1
        let next = try makeStore(started)
        #expect(next.pending?.returnTo == before && next.running[StageSection.self].card == 1)
        #expect(next.observe([.picture, .network], at: at(0)) == .wait)
        #expect(next.observe([.picture, .network], at: at(5)) == .confirm)
    }

    /// While a restart is to come, whatever is changed stays unconfirmed, so that the restart is without it.
    @Test func aHeldChangeWaitsForItsAuthor() throws {
        for patch in [["label": "x"], ["layout": "split"], ["card": 1]] as [JSONValue] {
            let store = try makeStore()
            store.holdsChanges = true
            let outcome = try change(store, ["stage": patch])
            #expect(outcome.confirmation?.returnTo == before)
            let kept = try #require(disk.kept?.unconfirmed)
            #expect(kept.returnTo == 4 && kept.startsLeft == 0, "the next start is without it: \(patch)")
            let all: Set<WorkingCondition> = [.picture, .network]
            for second in 0...100 { #expect(store.observe(all, at: at(Int64(second))) == .wait) }
            var problem: SettingsFailure?
            store.confirm { problem = $0 }
            #expect(problem == nil && disk.kept?.unconfirmed == nil && store.pending == nil)
        }
    }

    @Test func whatProvedItselfWhileItWasHeldIsConfirmedAfterwards() throws {
        let store = try makeStore()
        store.holdsChanges = true
        _ = try change(store, ["stage": ["layout": "split"]])
        for second in 0...6 { #expect(store.observe([.picture, .network], at: at(Int64(second))) == .wait) }
        #expect(store.observe([], at: at(200)) == .wait, "a loss of the picture later is another matter")
        store.holdsChanges = false
        for second in 201...205 { #expect(store.observe([], at: at(Int64(second))) != .takeBack(missing: [.picture])) }
        #expect(store.observe([], at: at(206)) == .confirm)
    }

    @Test func aHeldChangeThatCostsThePictureIsTakenBackAtOnce() throws {
        let store = try makeStore()
        store.holdsChanges = true
        _ = try change(store, ["stage": ["layout": "split"]])
        _ = store.observe([.network], at: at(0))
        #expect(store.observe([.network], at: at(60)) == .takeBack(missing: [.picture]))
    }

    /// Two write at once: the second is told.
    @Test func aChangeForAnotherRevisionIsRefused() throws {
        let store = try makeStore()
        _ = try change(store, ["stage": ["label": "x"]], SettingsTerms(base: 4))
        let failure = thrown(SettingsFailure.self) {
            _ = try change(store, ["stage": ["label": "y"]], SettingsTerms(base: 4))
        }
        guard case .conflict(base: 4, let inForce) = failure else {
            Issue.record("\(String(describing: failure))")
            return
        }
        #expect(inForce.number == 5 && store.running[StageSection.self].label == "x")
    }

    /// A disk that fails when a change is to be confirmed leaves it unconfirmed, and it is tried again.
    @Test(arguments: [true, false]) func aConfirmationThatCannotBeKeptIsNone(whileStaging: Bool) throws {
        let store = try makeStore()
        _ = try change(store, ["stage": ["layout": "quad"]])
        (disk.failsToStage, disk.failsToPublish) = (whileStaging, !whileStaging)
        var failure: SettingsFailure?
        store.confirm { failure = $0 }
        #expect(failure != nil && store.pending != nil && disk.kept?.unconfirmed != nil)
        (disk.failsToStage, disk.failsToPublish) = (false, false)
        store.confirm { failure = $0 }
        #expect(failure == nil && store.pending == nil && disk.kept?.unconfirmed == nil)
    }

    /// However many changes follow one another unconfirmed, the revision to return to is kept.
    @Test func theRevisionToReturnToIsKept() throws {
        let store = try makeStore()
        for number in 1...20 { _ = try change(store, ["stage": ["layout": .string("l\(number)")]]) }
        #expect(disk.keptNumbers == Set([4] + Array(17...24)))
        var result: Result<SettingsOutcome, SettingsFailure>?
        store.takeBack(because: "enough") { result = $0 }
        _ = try #require(result).get()
        #expect(store.written == before.document && disk.keptNumbers == Set(18...25))
        #expect(throws: SettingsFailure.unknownRevision(4, known: Array((18...25).reversed()))) {
            try store.document(of: 4)
        }
    }
}
