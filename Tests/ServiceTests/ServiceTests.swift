// SPDX-License-Identifier: Apache-2.0
import Commands
import FeatureTesting
import Hosting
import JSON
import System
import Testing
import Time
import Venue

@testable import Service

@Suite final class ServiceTests {
    private var ended = 0
    private var events: [(name: String, payload: JSONValue)] = []

    private func makeHost() throws -> (host: FeatureHost, settings: SettingsStore) {
        var context = try FeatureContext.testing { [unowned self] in events.append(($0, $1)) }
        context.provide(Service.Ending { [unowned self] in ended += 1 })
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
        if case .success(let value) = answered {
            let kind = try #require(catalogue[name]).answer.kind
            #expect(kind.problems(of: value).isEmpty, "\(name): \(kind.problems(of: value))")
        }
        return try #require(answered)
    }

    @Test func versionAndEnd() throws {
        let (host, _) = try makeHost()
        let version: JSONValue = ["version": .string(Build.version), "build": .string(Build.id)]
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
}
