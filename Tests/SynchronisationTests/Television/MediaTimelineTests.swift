// SPDX-License-Identifier: Apache-2.0
import CompanionScreens
import TestSupport
import Testing
import Time
import Timelines

@testable import Synchronisation

@Suite struct MediaTimelineTests {
    private static let unrelated = ClockCorrelation(parentTicks: 0, ticks: 0)
    private static let now = Monotonic(nanoseconds: 7_000_000_000_000)

    private static func timeline(
        _ selector: TimelineSelector = .pts, _ properties: TimelineProperties = TimelineProperties(.mpeg),
        at contentTime: Int64, wallClock: Int64, speed: Double = 1, medium: ClockCorrelation = Self.unrelated
    ) throws -> MediaTimeline {
        let timestamp = ControlTimestamp(
            wallClockTime: WallClockTime(nanoseconds: wallClock),
            movement: .init(contentTime: contentTime, speed: speed))
        return MediaTimeline(try #require(FollowedTimeline(timestamp, of: selector, properties)), medium: medium)
    }

    /// A session that presents this time stamp, as a span, at `now`.
    private static func place(presenting stamp: Nanoseconds, delay: Nanoseconds = .seconds(3)) -> MediaPlace {
        MediaPlace(StreamCorrelation(offset: Nanoseconds(now.nanoseconds) - delay - stamp), delay: delay)
    }

    private static func lateness(
        _ timeline: MediaTimeline, presenting stamp: Nanoseconds, wallClock: Int64
    ) -> Nanoseconds? {
        timeline.lateness(
            of: place(presenting: stamp), at: now, wallClock: WallClockInstant(nanoseconds: wallClock))
    }

    /// The television is at 90 000 ticks, a second; a session that presents less is late.
    @Test func lateIsPositiveAndExact() throws {
        let timeline = try Self.timeline(at: 90_000, wallClock: 500)
        #expect(Self.lateness(timeline, presenting: .seconds(1), wallClock: 500) == .zero)
        #expect(Self.lateness(timeline, presenting: Nanoseconds(999_999_999), wallClock: 500) == Nanoseconds(1))
        #expect(Self.lateness(timeline, presenting: Nanoseconds(1_000_000_001), wallClock: 500) == Nanoseconds(-1))
        #expect(Self.lateness(timeline, presenting: .seconds(1), wallClock: 777) == Nanoseconds(277))
        #expect(Self.lateness(timeline, presenting: .seconds(3), wallClock: 1_000_000_500) == .seconds(-1))
    }

    /// Texts have times of the timeline and are shown with time stamps of the medium.
    @Test func timesOfTheTimelineAreTimeStamps() throws {
        let medium = ClockCorrelation(parentTicks: 100_000, ticks: 27_000_000)
        let rate = try #require(ClockRate(unitsPerSecond: 5_000))
        let path = try #require(MediaTimeline.stamps(of: medium, at: rate))
        #expect(path.convert(100_000) == 27_000_000 && path.convert(105_000) == 27_090_000)
        #expect(path.convert(-1_400_000) == 0)
        #expect(MediaTimeline.stamps(of: Self.unrelated, at: ClockRate(.mpeg))?.convert(77) == 77)
    }

    /// From media time to presentation it takes the delay: a session with more of it is that much later.
    @Test func delayAndOffsetCount() throws {
        let timeline = try Self.timeline(at: 0, wallClock: 0)
        let instant = WallClockInstant(nanoseconds: 0)
        let offset = Nanoseconds(Self.now.nanoseconds) - .seconds(2)
        for (delay, late) in [(2_000, 0), (2_005, 5), (1_900, -100)] as [(Int64, Int64)] {
            let place = MediaPlace(StreamCorrelation(offset: offset), delay: .milliseconds(delay))
            #expect(timeline.lateness(of: place, at: Self.now, wallClock: instant) == .milliseconds(late))
        }
    }

    // MARK: Selectors and rates

    private static let rates: [(TimelineSelector, TimelineProperties)] = [
        (.elapsedTime(TickRate(1_000)), TimelineProperties(TickRate(1_000))),
        (.elapsedTime(TickRate(5_000)), TimelineProperties(TickRate(5_000))),
        (.temi(componentTag: 1, timelineID: 128), TimelineProperties(TickRate(1_000))),
        (.other("urn:frames"), TimelineProperties(unitsPerTick: 1_001, unitsPerSecond: 30_000)),
        (.pts, TimelineProperties(.mpeg)),
    ]

    /// CSS-35: an hour into the content a medium that begins with it is an hour old, whatever the ticks.
    @Test(arguments: 0..<5) func ticksAreTurnedIntoTime(number: Int) throws {
        let (selector, properties) = Self.rates[number]
        // 1 001 s are whole ticks of each rate.
        let ticks = 1_001 * properties.unitsPerSecond / properties.unitsPerTick
        let timeline = try Self.timeline(selector, properties, at: ticks, wallClock: 1_000)
        #expect(Self.lateness(timeline, presenting: .seconds(1_001), wallClock: 1_000) == .zero)
        #expect(Self.lateness(timeline, presenting: .seconds(1_000), wallClock: 2_001_000) == .milliseconds(1_002))
    }

    /// The position between two ticks of 29.97 Hz is known to the nanosecond.
    @Test func slowTicksAreExact() throws {
        let timeline = try Self.timeline(
            .other("urn:frames"), TimelineProperties(unitsPerTick: 1_001, unitsPerSecond: 30_000), at: 1, wallClock: 0)
        // A frame lasts 33 366 666.67 ns.
        #expect(Self.lateness(timeline, presenting: Nanoseconds(33_366_667), wallClock: 0) == .zero)
        #expect(Self.lateness(timeline, presenting: Nanoseconds(33_366_667), wallClock: 12_345) == Nanoseconds(12_345))
    }

    // MARK: Movement

    @Test(arguments: [0.0, 0.5, 1.001, 2.0, -1.0]) func speedsCount(speed: Double) throws {
        let timeline = try Self.timeline(at: 90_000 * 100, wallClock: 4_000, speed: speed)
        let moved = Nanoseconds(Int64((2e9 * speed).rounded()))
        #expect(Self.lateness(timeline, presenting: .seconds(100) + moved, wallClock: 2_000_004_000) == .zero)
        #expect(Self.lateness(timeline, presenting: .seconds(99), wallClock: 4_000) == .seconds(1))
    }

    /// CSS-07: 5 s into the content, at 25 000 of its ticks, the medium has the time stamp of 40 s.
    @Test func mediumIsRelatedToTheContent() throws {
        let medium = ClockCorrelation(parentTicks: 25_000, ticks: 40 * 90_000)
        let timeline = try Self.timeline(
            .elapsedTime(TickRate(5_000)), TimelineProperties(TickRate(5_000)), at: 25_000, wallClock: 0, medium: medium
        )
        #expect(Self.lateness(timeline, presenting: .seconds(40), wallClock: 0) == .zero)
        #expect(Self.lateness(timeline, presenting: .seconds(44), wallClock: 5_000_000_000) == .seconds(1))
        #expect(Self.lateness(timeline, presenting: .seconds(34), wallClock: -5_000_000_000) == .seconds(1))
    }

    // MARK: Time stamps of 33 bits

    private static let period: Int64 = 1 << 33

    /// Whichever turns of their 33 bits the television and the session count, and however many of them passed since the
    /// control timestamp: the lateness is what it is.
    @Test(arguments: Effort.seeds(200)) func wrapDoesNotMatter(seed: UInt64) throws {
        var random = SplitMix64(seed: seed &+ Effort.seed)
        // Near the wrap, near the middle between two of them, and anywhere.
        let stamp = random.one(of: [
            Int64.random(in: -50_000...50_000, using: &random) + Self.period * Int64.random(in: 0...3, using: &random),
            Self.period / 2 + Int64.random(in: -50_000...50_000, using: &random),
            Int64.random(in: 0..<Self.period * 4, using: &random),
        ])
        let late = Nanoseconds.milliseconds(Int64.random(in: -3_600_000...3_600_000, using: &random))
        let since = Int64.random(in: -20...100_000, using: &random)
        let television = (stamp - since * 90_000) & (Self.period - 1)
        let wallClock = Int64.random(in: 0...1_000_000_000_000, using: &random)
        let timeline = try Self.timeline(at: television, wallClock: wallClock)
        let presented = TickRate.mpeg.nanoseconds(stamp) - late
        let found = try #require(
            Self.lateness(timeline, presenting: presented, wallClock: wallClock + since * 1_000_000_000))
        // Time stamps are rounded to a nanosecond.
        #expect((found - late).magnitude <= Nanoseconds(2), "\(found) instead of \(late)")
    }

    /// At half a turn nobody can know; a nanosecond to either side it is known.
    @Test func halfATurnIsTheLimit() throws {
        let timeline = try Self.timeline(at: 0, wallClock: 0)
        let half = TickRate.mpeg.nanoseconds(Self.period).count / 2
        for span in [half - 1_000, 1_000 - half] {
            #expect(Self.lateness(timeline, presenting: Nanoseconds(-span), wallClock: 0) == Nanoseconds(span))
        }
        let beyond = try #require(Self.lateness(timeline, presenting: Nanoseconds(-half - 1_000), wallClock: 0))
        #expect(beyond < .zero)
    }

    /// Other timelines have no wrap: a session that is three days late is.
    @Test func otherTimelinesDoNotWrap() throws {
        let timeline = try Self.timeline(
            .elapsedTime(TickRate(1_000)), TimelineProperties(TickRate(1_000)), at: 259_200_000, wallClock: 0)
        #expect(Self.lateness(timeline, presenting: .zero, wallClock: 0) == .seconds(259_200))
    }

    // MARK: Limits

    /// Whatever a television says, nothing traps; a place that does not fit is none.
    @Test(arguments: Effort.seeds(200)) func absurdTimelinesNeverTrap(seed: UInt64) throws {
        var random = SplitMix64(seed: seed &+ Effort.seed)
        let extremes: [Int64] = [.min, .max, 0, 1, -1, 1 << 62, Int64(bitPattern: random.next())]
        let medium = ClockCorrelation(parentTicks: random.one(of: extremes), ticks: random.one(of: extremes))
        let (selector, properties) = random.one(of: Self.rates)
        let speed = random.one(of: [-1_000.0, 0, 1, 1_000])
        let timeline = try Self.timeline(
            selector, properties, at: random.one(of: extremes), wallClock: random.one(of: extremes), speed: speed,
            medium: medium)
        let wallClock = WallClockInstant(nanoseconds: random.one(of: extremes))
        let place = MediaPlace(
            StreamCorrelation(offset: Nanoseconds(random.one(of: extremes))),
            delay: Nanoseconds(random.one(of: extremes)))
        let late = timeline.lateness(
            of: place, at: Monotonic(nanoseconds: random.one(of: extremes)), wallClock: wallClock)
        if let late, selector == .pts {
            #expect(late.magnitude <= TickRate.mpeg.nanoseconds(Self.period) / 2 + .microseconds(100))
        }
        _ = timeline.bound(at: wallClock, dispersion: Nanoseconds(.max))
    }

    @Test func boundIsThatOfTheClocksAndTheTimeline() throws {
        let timeline = try Self.timeline(at: 0, wallClock: 0)
        let instant = WallClockInstant(nanoseconds: 9)
        let least = try #require(timeline.bound(at: instant, dispersion: .zero))
        #expect(least > .zero)
        #expect(timeline.bound(at: instant, dispersion: .milliseconds(3)) == least + .milliseconds(3))
    }

    /// Wherever between two pictures a box pauses, and whichever of them its screen shows: whoever goes within half a
    /// millisecond of the place that it tells is within the picture that it shows.
    @Test func aHeldPlaceIsWithinThePictureThatIsShown() {
        let picture = Nanoseconds.milliseconds(40)
        for placeUs in stride(from: 0, to: 40_000, by: 100) as StrideTo<Int64> {
            let heldAt = Monotonic(nanoseconds: 10_000_000_000) + .microseconds(placeUs)
            let place = MediaPlace(StreamCorrelation(offset: .zero), delay: .zero, heldAt: heldAt)
            for shown in placeUs > 30_000 ? [0, 1] : [0] as [Int64] {
                let begin = Nanoseconds.seconds(10) + picture * shown
                let told = place.held(TickRate.mpeg.ticks(begin))
                #expect(told - begin >= .microseconds(990) && begin + picture - told >= .microseconds(990))
                #expect(place.isBefore(TickRate.mpeg.ticks(begin)) == (shown == 1))
            }
            #expect(place.held(nil) == place.presented(at: heldAt))
            #expect(place.held(0) == place.presented(at: heldAt), "a picture of another place")
        }
    }
}
