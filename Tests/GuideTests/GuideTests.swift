// SPDX-License-Identifier: Apache-2.0
import Commands
import FeatureTesting
import Hosting
import JSON
import Journal
import LineUp
import Playback
import Settings
import Shapes
import Statistics
import System
import TestSupport
import Testing
import Time
import Venue

@testable import Guide

@Suite struct GuideTests {
    private final class Heard {
        var events: [JSONValue] = []
    }

    private let heard = Heard()
    private let lineUp: LineUpView
    private let regions = RegionDirectory(PlaybackPolicy(), sessionLimit: 1)

    init() throws {
        let settings = try Settings(document: [
            "channels": [
                ["name": "Pitch", "address": "239.1.2.3", "port": 5_000],
                ["name": "Stand", "address": "239.1.2.4", "port": 5_000],
            ]
        ])
        lineUp = LineUpView(LineUp(settings: LineUpSettings(settings)))
        regions.environment.open = { _, _ in nil }
    }

    /// Plays a channel of the line-up in `main`.
    /// - Returns: the number of the session.
    private func play(_ name: String) throws -> Int {
        let channel = try #require(try lineUp.current.entry(of: name).channel)
        regions.control(.tune(channel), in: regions.main)
        return try #require(regions.main.player.current?.id)
    }

    private func makeHost() throws -> FeatureHost {
        var context = try FeatureContext.testing { [heard] name, payload in
            #expect(name == "channels.nowNext")
            heard.events.append(payload)
        }
        context.provide(lineUp)
        context.provide(NowNextView())
        context.provide(regions)
        context.provide(LocalZone("Europe/Berlin"))
        return try FeatureHost([Guide.self], context)
    }

    private func rows(_ host: FeatureHost, _ arguments: JSONValue = [:]) throws -> [JSONValue] {
        var answered = Result<JSONValue, Status>.success(.null)
        let request = try CommandRequest(CommandDescription(ShowBroadcasts.self), arguments: arguments)
        let isHandled = host.handle(request) { answered = $0 }
        #expect(isHandled)
        let answer = try answered.get()
        #expect(BroadcastList.kind.problems(of: answer).isEmpty)
        return answer["broadcasts"]?.array ?? []
    }

    private static let start = WallTime(nanoseconds: 1_795_292_130_000_000_000)
    private static let both = NowNext(
        now: Broadcast(title: "Match", text: "Live", start: start, duration: .seconds(60)),
        next: Broadcast(title: "News"))

    @Test func showsAndTellsWhatIsHeard() throws {
        let host = try makeHost()
        let pitch = try lineUp.current.entry(of: "Pitch").id
        let session = try play("Pitch")
        #expect(try rows(host).isEmpty && heard.events.isEmpty)
        regions.take(.nowNextChanged(session: session, Self.both))
        regions.take(.nowNextChanged(session: session, Self.both))
        regions.take(.nowNextChanged(session: session + 1, NowNext()))
        let rows = try rows(host)
        #expect(rows.map { $0["when"] } == ["now", "next"] && rows.map { $0["title"] } == ["Match", "News"])
        let first = try #require(rows.first)
        #expect(first["channel"] == "Pitch" && first["id"]?.string == pitch.text && first["durationMs"] == 60_000)
        #expect(first["start"]?.string == Self.start.description && first["minimumAge"] == .null)
        #expect(first["localStart"]?.string?.hasSuffix("+01:00") == true)
        #expect(rows.last?["localStart"] == .null && rows.last?["text"] == "")
        #expect(try self.rows(host, ["channel": "Stand"]).isEmpty)
        #expect(heard.events.count == 1 && heard.events.first?["next"]?["title"] == "News")
        #expect(ValueKind.record(Guide.events[0].payload).problems(of: heard.events[0]).isEmpty)
    }

    @Test func aChannelThatIsNotThere() throws {
        let host = try makeHost()
        let refusal = thrown(Status.self) { try rows(host, ["channel": "Nope"]) }
        #expect(refusal?.errorString == "channel 'Nope' is not in the line-up: expected one of Pitch, Stand")
    }

    /// What has been left is over by the clock; an event without an end is over at once.
    @Test func whatWasLeftEnds() throws {
        let host = try makeHost()
        regions.take(.nowNextChanged(session: try play("Pitch"), NowNext(now: Broadcast(title: "Match"))))
        host.tick(at: SystemClock.monotonic())
        #expect(heard.events.count == 1)
        regions.stop(regions.main)
        host.tick(at: SystemClock.monotonic())
        #expect(heard.events.count == 2 && heard.events.last?["now"] == .null)
        #expect(try rows(host).isEmpty)
    }

    @Test func aRemovedChannelIsForgotten() throws {
        let host = try makeHost()
        regions.take(.nowNextChanged(session: try play("Pitch"), Self.both))
        lineUp.tell(lineUp.current.apply(LineUpSettings()))
        #expect(try rows(host).isEmpty)
    }
}
