// SPDX-License-Identifier: Apache-2.0
import Commands
import FeatureTesting
import Hosting
import JSON
import Journal
import LineUp
import Playback
import Reception
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
        /// Of any session; nil if none receives anything.
        var reception: ReceptionCounters?
    }

    private let heard = Heard()
    private let regions = RegionDirectory(PlaybackPolicy(), sessionLimit: 1)
    private let view = HealthView()

    private func makeHost(_ document: JSONValue) throws -> FeatureHost { try makeHostAndContext(document).0 }

    private func makeHostAndContext(_ document: JSONValue) throws -> (FeatureHost, FeatureContext) {
        var context = try FeatureContext.testing(settings: document) { [heard] name, payload in
            heard.events.append(name)
            heard.payloads.append(payload)
        }
        let settings = context.settings.running.settings
        context.provide(LineUpView(LineUp(settings: LineUpSettings(settings))))
        context.provide(view)
        context.provide(
            Health.Sources(
                isListening: { [heard] in heard.isListening }, reception: { [heard] _ in heard.reception },
                playback: { _ in PlaybackCounters() }))
        context.provide(regions)
        return (try FeatureHost([Health.self], context), context)
    }

    private func change(_ context: FeatureContext, _ patch: JSONValue) throws {
        var outcome: Result<SettingsOutcome, SettingsFailure>?
        context.settings.change(.merge(patch), from: .localSocket) { outcome = $0 }
        _ = try #require(outcome).get()
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
        #expect(seen == [true])
        #expect(view.snapshot.uplinks.map(\.name) == ["lo"])
        host.stop()
        #expect(view.snapshot.state.reasons == .notRunning && heard.events.last == "service.state")
    }

    /// Why a channel shows no picture is known after three seconds; of one that nobody sees it is no fault.
    @Test func aChannelWithoutAPicture() throws {
        let host = try makeHost(["network": ["interface": "lo"]])
        regions.environment.open = { _, _ in nil }
        heard.reception = ReceptionCounters()
        let transport = Transport(address: "239.1.2.3", port: 5_004, encapsulation: .raw)
        regions.control(
            .tune(Channel(id: Channel.ID("One"), name: "One", transport: transport)), in: regions.main)
        let now = SystemClock.monotonic()
        for second in 0..<2 as Range<Int64> { host.tick(at: now + .seconds(second)) }
        #expect(view.snapshot.absences.isEmpty)
        host.tick(at: now + .seconds(2))
        #expect(view.snapshot.absences.values.map(\.text) == ["nothing arrives from the network"])
        regions.control(.setVisible(false), in: regions.main)
        regions.control(.setBackgroundPlayback(true), in: regions.main)
        host.tick(at: now + .seconds(3))
        #expect(view.snapshot.absences.isEmpty)
    }

    /// SVM-12: settings take effect while the box runs; the lock at once, the rest with the next observation.
    @Test func settingsChange() throws {
        let (host, context) = try makeHostAndContext([
            "network": ["interface": "lo"],
            "license": ["venueName": "Arena", "contentOwner": "Club", "appDeveloper": "Us"],
        ])
        let now = SystemClock.monotonic()
        host.tick(at: now)
        #expect(view.snapshot.state.isUp && view.lock == nil)
        var locks: [String?] = []
        view.subscribe { [view] _ in locks.append(view.snapshot.missedVenue) }
        try change(context, ["health": ["venue": ["locksOutside": true]]])
        #expect(locks == ["Arena"])
        try change(context, ["license": ["venueName": "Stadium"]])
        #expect(locks == ["Arena", "Stadium"] && view.snapshot.missedVenue == "Stadium")
        try change(context, ["health": ["venue": ["locksOutside": false]]])
        #expect(locks == ["Arena", "Stadium", nil])
        try change(context, ["health": ["firstListenMs": 0, "noChannels": ["raiseMs": 0]]])
        host.tick(at: now + .seconds(1))
        #expect(view.snapshot.state.reasons == .noChannels)
    }
}
