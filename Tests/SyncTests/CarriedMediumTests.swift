// SPDX-License-Identifier: Apache-2.0
import CompanionScreens
import Testing
import Time
import Timelines

@testable import Sync
@testable import Synchronisation

/// Which correlation counts where the stream may carry the timeline itself (TEMI).
@Suite struct CarriedMediumTests {
    private static let id = CarriedTimeline.ID(componentTag: 1, number: 128)
    private static let place = ClockCorrelation(parentTicks: 5_000, ticks: 900_000)

    private static func carried(
        _ id: CarriedTimeline.ID = Self.id, rate: Int64 = 1_000, _ medium: ClockCorrelation? = Self.place
    ) -> [CarriedTimeline.ID: CarriedTimeline] {
        [id: CarriedTimeline(id, rate: rate, medium: medium)]
    }

    private static func followed(_ selector: TimelineSelector, at ticks: Int64 = 7_000) throws -> FollowedTimeline {
        let timestamp = ControlTimestamp(
            wallClockTime: WallClockTime(nanoseconds: 0), movement: .init(contentTime: ticks, speed: 1))
        let properties = TimelineProperties(unitsPerSecond: selector == .pts ? 90_000 : 1_000)
        return try #require(FollowedTimeline(timestamp, of: selector, properties))
    }

    private static let temi = TimelineSelector.temi(componentTag: 1, timelineID: 128)

    @Test func theStreamSaysIt() throws {
        let (settings, timeline) = (try SyncBench().settings, try Self.followed(Self.temi))
        #expect(settings.medium(of: "any", on: timeline, carried: Self.carried()) == Self.place)
        #expect(settings.medium(of: "any", on: timeline, carried: [:]) == nil, "it is not known yet")
        let others = [
            Self.carried(.init(componentTag: 1, number: 1)), Self.carried(.init(componentTag: 2, number: 128)),
            Self.carried(rate: 90_000), Self.carried(rate: Int64(UInt32.max)), Self.carried(Self.id, nil),
        ]
        #expect(others.allSatisfy { settings.medium(of: "any", on: timeline, carried: $0) == nil })
    }

    /// Settings say more than the stream, and of other timelines the stream says nothing.
    @Test func othersAreAsTheSettingsSay() throws {
        let own = ClockCorrelation(parentTicks: 1, ticks: 2)
        let bench = try SyncBench(["media": [["contentId": "dvb://1", "timelineTicks": 1, "mediaTicks": 2]]])
        let timeline = try Self.followed(Self.temi)
        #expect(bench.settings.medium(of: "dvb://1.2", on: timeline, carried: Self.carried()) == own)
        #expect(bench.settings.medium(of: "dvb://2.2", on: timeline, carried: Self.carried()) == Self.place)
        let none = ClockCorrelation(parentTicks: 0, ticks: 0)
        #expect(bench.settings.medium(of: nil, on: try Self.followed(.pts), carried: Self.carried()) == none)
        #expect(bench.settings.medium(of: nil, on: nil, carried: Self.carried()) == none)
    }

    /// Two seconds after the place that the stream tells, the medium is two seconds on; the session counts another turn of
    /// the 33 bits.
    @Test func aSessionIsMeasuredByIt() throws {
        let settings = try SyncBench().settings
        let followed = try Self.followed(Self.temi)
        let medium = try #require(settings.medium(of: nil, on: followed, carried: Self.carried()))
        let timeline = MediaTimeline(followed, medium: medium)
        let now = Monotonic(nanoseconds: 7_000_000_000_000)
        let turn = TickRate.mpeg.nanoseconds(3 * StampSpan.stamps)
        let stamp = Nanoseconds.seconds(12) + turn
        let place = MediaPlace(StreamCorrelation(offset: Nanoseconds(now.nanoseconds) - stamp), delay: .zero)
        let late = try #require(timeline.lateness(of: place, at: now, wallClock: WallClockInstant(nanoseconds: 0)))
        #expect(late.magnitude <= .microseconds(1), "\(late)")
    }
}
