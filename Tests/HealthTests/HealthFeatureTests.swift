// SPDX-License-Identifier: Apache-2.0
import Commands
import FeatureTesting
import Hosting
import JSON
import Journal
import LineUp
import Playback
import Reporting
import Settings
import Shapes
import Statistics
import System
import Testing
import Time
import Venue

@testable import Health

@Suite struct HealthFeatureTests {
    private final class Heard {
        var isListening = true
        var events: [String] = []
        var payloads: [JSONValue] = []
        var changes: [HealthMonitor.Change] = []
    }

    private let heard = Heard()
    private let view = HealthView()

    private func makeHost(_ document: JSONValue) throws -> FeatureHost {
        var context = try FeatureContext.testing(settings: document) { [heard] name, payload in
            heard.events.append(name)
            heard.payloads.append(payload)
        }
        let settings = context.settings.running.settings
        context.provide(LineUpView(LineUp(settings: LineUpSettings(settings))))
        context.provide(view)
        context.provide(Health.Sources(isListening: { [heard] in heard.isListening }, reception: { _ in nil }))
        context.provide(RegionDirectory(PlaybackPolicy(), sessionLimit: 1))
        view.subscribe { [heard] in heard.changes += $0 }
        return try FeatureHost([Health.self], context)
    }

    private func answer(_ host: FeatureHost) throws -> JSONValue {
        var answered = JSONValue.null
        let request = try CommandRequest(CommandDescription(ShowService.self))
        let isHandled = host.handle(request) { if case .success(let answer) = $0 { answered = answer } }
        #expect(isHandled)
        return answered
    }

    /// SVM-89, 90, 91: an event on a change only, and an answer that has the form of its schema.
    @Test func tellsAndAnswers() throws {
        let host = try makeHost([
            "network": ["interface": "lo"], "health": ["firstListenMs": 0, "noChannels": ["raiseMs": 0]],
        ])
        let before = try answer(host)
        #expect(before["state"] == "down" && before["reasonNames"] == ["NotRunning"])
        #expect(before["isConnectedToVenue"] == .null && before["uplinks"] == [])
        let now = SystemClock.monotonic()
        host.tick(at: now)
        host.tick(at: now + .seconds(1))
        #expect(heard.events == ["service.state", "venue.connection"])
        #expect(
            heard.payloads == [
                ["state": "down", "reasons": 4, "reasonNames": ["NoChannels"]], ["isConnectedToVenue": false],
            ])
        let answer = try answer(host)
        #expect(ServiceReport.kind.problems(of: answer).isEmpty && answer["isConnectedToVenue"] == false)
        #expect(answer["uplinks"] == [["name": "lo", "kind": "wired", "isUp": true]])
        #expect(zip(Health.events, heard.payloads).allSatisfy { ValueKind.record($0.payload).accepts($1) })
    }

    /// What others read is published before they are told (SVM-99).
    @Test func publishesTheLock() throws {
        let host = try makeHost([
            "network": ["interface": "lo"],
            "license": ["venueName": "Arena", "contentOwner": "Club", "appDeveloper": "Us"],
            "health": ["firstListenMs": 0, "venue": ["locksOutside": true]],
        ])
        #expect(view.snapshot.missedVenue == "Arena")
        #expect(view.lock?.errorString.hasPrefix("venue 'Arena' is not heard") == true)
        var seen: [Bool] = []
        view.subscribe { [view] _ in seen.append(view.snapshot.state.isUp) }
        host.tick(at: SystemClock.monotonic())
        #expect(seen == [true] && heard.changes.count == 2)
        #expect(view.snapshot.uplinks.map(\.name) == ["lo"])
        host.stop()
        #expect(view.snapshot.state.reasons == .notRunning && heard.events.last == "service.state")
    }
}
