// SPDX-License-Identifier: Apache-2.0
import Commands
import FeatureTesting
import Foundation
import Hosting
import JSON
import System
import Testing
import Time
import Venue

@testable import Service

@Suite final class ServiceTests {
    private var ended = 0
    private var suspended = Nanoseconds.seconds(100)
    /// The number of events at the end of each suspension.
    private var resumptions: [Int] = []
    private var events: [(name: String, payload: JSONValue)] = []
    private var loop: EventLoop?
    private let directory = FileManager.default.temporaryDirectory.appending(path: "service-\(UUID())").path

    deinit { try? FileManager.default.removeItem(atPath: directory) }  // a leftover in /tmp hurts nobody

    private func makeHost(
        reset: FactoryReset.Outcome? = nil
    ) throws -> (host: FeatureHost, settings: SettingsStore) {
        var context = try FeatureContext.testing { [unowned self] in events.append(($0, $1)) }
        context.provide(Service.Ending { [unowned self] in ended += 1 })
        context.provide(
            Service.Suspension(total: { [unowned self] in suspended }) { [unowned self] in
                resumptions.append(events.count)
            })
        context.provide(Service.State(directory: directory, reset: reset))
        loop = context.loop
        return (try FeatureHost([Service.self], context), context.settings)
    }

    private func answer(
        _ host: FeatureHost, _ name: String, _ arguments: JSONValue = [:]
    ) throws -> Result<JSONValue, Status> {
        let catalogue = Catalogue(FeatureDeclarations([Service.self]).commands)
        var request = try CommandRequest(command: name, arguments: arguments, in: catalogue)
        request.caller = Caller(.http, role: .administrator, name: "Ann")
        var answered: Result<JSONValue, Status>?
        #expect(host.handle(request) { answered = $0 })
        let deadline = SystemClock.monotonic() + .seconds(10)
        while answered == nil, SystemClock.monotonic() < deadline { try loop?.turn(atMost: .milliseconds(20)) }
        if case .success(let value) = answered {
            let kind = try #require(catalogue[name]).answer.kind
            #expect(kind.problems(of: value).isEmpty, "\(name): \(kind.problems(of: value))")
        }
        return try #require(answered)
    }

    @Test func versionAndEnd() throws {
        let (host, _) = try makeHost()
        let version: JSONValue = ["version": .string(Build.version), "build": .string(ImageBuild.id)]
        #expect(try answer(host, "version").get() == version && ended == 0)
        #expect(try answer(host, "shutdown").get() == [:] && ended == 1 && events.isEmpty)
        #expect(CommandDescription(ShutDown.self).role == .administrator)
    }

    @Test func aRestartIsToldAndEndsTheService() throws {
        let (host, _) = try makeHost()
        #expect(try answer(host, "restart").get() == [:] && ended == 1)
        #expect(events.map(\.name) == ["service.restarts"])
        #expect(events[0].payload == ["cause": "command", "author": "http Ann"])
    }

    @Test func aScheduledRestartComesInItsTime() throws {
        let (host, settings) = try makeHost()
        let now = SystemClock.monotonic()
        let scheduled = try answer(host, "restart-in", ["minutes": 5]).get()
        #expect(scheduled["inS"] == 300 && scheduled["author"] == "http Ann")
        #expect(try answer(host, "restart-in").get()["time"] == scheduled["time"])
        #expect(settings.holdsChanges)
        host.tick(at: now + .seconds(299))
        #expect(ended == 0)
        host.tick(at: now + .seconds(302))
        #expect(ended == 1 && events.map(\.name) == ["service.restartScheduled", "service.restarts"])
        #expect(events[0].payload == scheduled)
        #expect(events[1].payload == ["cause": "schedule", "author": "http Ann"])
        host.tick(at: now + .seconds(303))
        #expect(ended == 1, "it comes once")
    }

    @Test func aLaterOneTakesItsPlaceAndACancelledOneDoesNotCome() throws {
        let (host, settings) = try makeHost()
        let now = SystemClock.monotonic()
        _ = try answer(host, "restart-in", ["minutes": 1]).get()
        #expect(try answer(host, "restart-in", ["minutes": 1_440]).get()["inS"] == 86_400)
        host.tick(at: now + .seconds(3_600))
        #expect(ended == 0)
        #expect(try answer(host, "restart-cancel").get() == [:] && !settings.holdsChanges)
        host.tick(at: now + .seconds(100_000))
        #expect(ended == 0 && events.last?.name == "service.restartCancelled")
        let nothing = Status.failure(.failed, "no restart is scheduled; expected one by restart-in MINUTES")
        #expect(try answer(host, "restart-cancel") == .failure(nothing))
        #expect(try answer(host, "restart-in") == .failure(nothing))
    }

    @Test(arguments: [0, -1, 1_441] as [Int64]) func minutesHaveBounds(minutes: Int64) throws {
        let (host, _) = try makeHost()
        #expect(throws: CommandError.self) { try answer(host, "restart-in", ["minutes": .integer(minutes)]) }
        #expect(events.isEmpty)
    }

    /// SVM-04: a suspension is told once, with its length, before what it interrupted goes on.
    @Test func aSuspensionIsTold() throws {
        let (host, _) = try makeHost()
        let now = SystemClock.monotonic()
        host.tick(at: now)
        suspended = suspended + .milliseconds(999)
        host.tick(at: now)
        #expect(events.isEmpty && resumptions.isEmpty, "nothing was interrupted")
        suspended = suspended + .seconds(3_600)
        for _ in 0..<2 { host.tick(at: now) }
        #expect(events.map(\.name) == ["service.resumed"] && resumptions == [1])
        #expect(events.first?.payload == ["suspendedS": 3_600])
    }

    // MARK: Factory reset

    private static let refusal = Status.failure(
        .failed, "confirm is not the code of an offer; expected the one that factory-reset shows, within 60 s")

    private var isOrdered: Bool {
        FileManager.default.fileExists(atPath: directory + "/" + FactoryReset.markerName)
    }

    @Test func aResetIsOfferedConfirmedAndOrdered() throws {
        let (host, _) = try makeHost()
        defer { host.stop() }
        let offer = try answer(host, "factory-reset").get()
        let code = try #require(offer["confirmation"]?.string)
        #expect(code.utf8.count == 6 && offer["next"]?.string?.hasSuffix(code) == true)
        #expect(offer["things"]?.array?.contains { $0["isLost"] == true } == true)
        #expect(!isOrdered && ended == 0 && events.isEmpty, "the first call changes nothing")
        let done = try answer(host, "factory-reset", ["confirm": .string(code)]).get()
        #expect(done["confirmation"] == nil && isOrdered && ended == 1)
        #expect(events.map(\.name) == ["service.restarts"])
        #expect(events[0].payload == ["cause": "factoryReset", "author": "http Ann"])
    }

    /// A code counts once, and a wrong one ends the offer.
    @Test func noOtherCodeConfirms() throws {
        let (host, _) = try makeHost()
        defer { host.stop() }
        #expect(try answer(host, "factory-reset", ["confirm": "000000"]) == .failure(Self.refusal))
        let first = try #require(try answer(host, "factory-reset").get()["confirmation"])
        let second = try #require(try answer(host, "factory-reset").get()["confirmation"])
        if first != second {  // they are one in a million times
            #expect(try answer(host, "factory-reset", ["confirm": first]) == .failure(Self.refusal))
            #expect(try answer(host, "factory-reset", ["confirm": second]) == .failure(Self.refusal), "it was ended")
        }
        #expect(!isOrdered && ended == 0)
    }

    @Test func anOfferEnds() {
        let now = Monotonic(nanoseconds: 0)
        let offer = ResetOffer(random: 4_000_000_042, now: now)
        #expect(offer.code == "000042")
        let rows: [(String, Int64, Bool)] = [
            ("000042", 0, true), ("000042", 59, true), ("000042", 60, false), ("42", 0, false), ("", 0, false),
        ]
        for (text, seconds, isRight) in rows {
            #expect(offer.accepts(text, at: now + .seconds(seconds)) == isRight, "\(text) after \(seconds) s")
        }
    }

    @Test func whatTheStartDidIsTold() throws {
        let problem = SystemCallError("unlink /state/a", .notPermitted)
        let rows: [(FactoryReset.Outcome, JSONValue)] = [
            (FactoryReset.Outcome(removed: ["settings"]), ["removed": ["settings"]]),
            (
                FactoryReset.Outcome(removed: [], problem: problem),
                ["removed": [], "why": "unlink /state/a: Permission denied"]
            ),
        ]
        for (outcome, payload) in rows {
            events = []
            let (host, _) = try makeHost(reset: outcome)
            host.start()
            host.stop()
            #expect(events.map(\.name) == ["service.factoryReset"] && events.first?.payload == payload)
        }
    }

    /// A disk that takes no marker leaves everything as it was.
    @Test func anOrderThatCannotBeKeptIsNone() throws {
        try Data().write(to: URL(filePath: directory))  // a file in the place of the directory
        let (host, _) = try makeHost()
        defer { host.stop() }
        let code = try #require(try answer(host, "factory-reset").get()["confirmation"])
        guard case .failure(let status) = try answer(host, "factory-reset", ["confirm": code]) else {
            Issue.record("it was ordered")
            return
        }
        #expect(status.errorString.hasPrefix("the order cannot be kept: ") && ended == 0)
    }
}
