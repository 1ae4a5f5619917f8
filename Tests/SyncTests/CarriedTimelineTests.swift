// SPDX-License-Identifier: Apache-2.0
import CompanionScreens
import Playback
import Synchronisation
import System
import Testing
import Time
import Timelines
import Venue

@testable import Sync

/// A television with a TEMI timeline, on the loopback interface, and a stream that carries that timeline.
@Suite struct CarriedTimelineTests {
    private static let selector = TimelineSelector.temi(componentTag: 1, timelineID: 128)

    private struct Missing: Error { let what: String }

    private func serve(on loop: EventLoop) throws -> CompanionServices {
        let address = try #require(NumericAddress("127.0.0.1"))
        let services = try CompanionServices(
            at: CompanionServices.Places([address], port: 0, wallClockPort: 0), loop: loop)
        let properties = TimelineProperties(unitsPerSecond: 1_000)
        var information = ContentInformation()
        information.presentationStatus = PresentationStatus(.okay)
        information.contentID = "dvb://1"
        information.contentIDStatus = .final
        information.timelines = [TimelineOption(Self.selector, properties)]
        let now = services.wallClock(at: SystemClock.monotonic())
        let timestamp = ControlTimestamp(wallClockTime: now, movement: .init(contentTime: 5_000, speed: 1))
        services.publish(
            information,
            PublishedTimelines(
                contentID: "dvb://1", timelines: [Self.selector: PublishedTimelines.Timeline(properties, timestamp)]))
        return services
    }

    private func carried(_ medium: ClockCorrelation?) -> CarriedTimeline {
        CarriedTimeline(.init(componentTag: 1, number: 128), rate: 1_000, medium: medium)
    }

    /// Followed from the first word of the stream on, while it says where the timeline is; by the session in `main` alone.
    @Test func isFollowedWhileTheStreamSaysWhereItIs() throws {
        let bench = try SyncBench(["selectors": [.string(Self.selector.text)]])
        let services = try serve(on: bench.loop)
        defer { services.stop() }
        bench.host.start()
        let session = try bench.play("One")
        let end = SystemClock.monotonic() + .seconds(20)
        while services.informationURL == nil || services.wallClockURL == nil {
            guard SystemClock.monotonic() < end else { throw Missing(what: "the services") }
            try bench.loop.turn(atMost: .milliseconds(10))
        }
        _ = try bench.answer("sync-join", ["url": .string(try #require(services.informationURL).description)])
        var report = try bench.answer("sync")
        while report["phase"] != "following" {
            guard SystemClock.monotonic() < end else { throw Missing(what: report.text()) }
            try bench.loop.turn(atMost: .milliseconds(10))
            report = try bench.answer("sync")
        }
        let sync = bench.host[Sync.self]
        #expect(try bench.answer("sync")["state"] == "syncTimelineUnavailable")
        let line = carried(ClockCorrelation(parentTicks: 5_000, ticks: 900_000))
        bench.regions.take(.timelineTold(session: session + 1, line))
        #expect(try bench.answer("sync")["state"] == "syncTimelineUnavailable" && bench.timeline.medium == nil)
        bench.regions.take(.timelineTold(session: session, line))
        #expect(try bench.answer("sync")["state"] != "syncTimelineUnavailable")
        #expect(bench.timeline.medium?.convert(6_000) == 990_000)
        bench.regions.take(.timelineTold(session: session, carried(nil)))
        #expect(try bench.answer("sync")["state"] == "syncTimelineUnavailable" && bench.timeline.medium == nil)
        let next = try bench.play("Two")
        #expect(next != session)
        // What the one stream says is not the other's.
        #expect(try bench.answer("sync")["state"] == "syncTimelineUnavailable")
        bench.regions.take(.timelineTold(session: next, carried(ClockCorrelation(parentTicks: 5_000, ticks: 0))))
        #expect(bench.timeline.medium?.convert(5_000) == 0)
        try sync.leave()
        #expect(bench.timeline.medium == nil)
    }
}
