// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing
import Time
import Timelines

@Suite struct PlayoutClockTests {
    private static let frame: Int64 = 3_600  // 25 pictures a second in 90 kHz ticks
    private static let interval = Nanoseconds.milliseconds(40)
    private static let delay = Nanoseconds.milliseconds(500)

    /// A stream whose first unit arrives at `origin` when the network delays nothing.
    private struct Stream {
        var clock = PlayoutClock(delay: PlayoutClockTests.delay)
        let origin = Monotonic(nanoseconds: 10_000_000_000)
        var dts: Int64 = 123_456
        /// When the sender sends the next unit.
        var sent = Monotonic(nanoseconds: 10_000_000_000)

        mutating func next(delayedBy delay: Nanoseconds = .zero, interval: Nanoseconds = interval)
            -> PlayoutClock.Verdict
        {
            defer {
                dts += frame
                sent += interval
            }
            return clock.unitArrived(dts: dts, at: sent + delay)
        }

        /// How far the picture about to be sent would be due from `sent` + D.
        var error: Nanoseconds { (clock.due(pts: dts) ?? origin) - (sent + PlayoutClockTests.delay) }
    }

    @Test func dueAtArrivalPlusDelay() {
        var clock = PlayoutClock(delay: Self.delay)
        #expect(clock.due(pts: 0) == nil)
        let arrival = Monotonic(nanoseconds: 5_000_000_000)
        #expect(clock.unitArrived(dts: 90_000, at: arrival) == .started)
        #expect(clock.due(pts: 90_000) == arrival + Self.delay)
        #expect(clock.due(pts: 90_000 + 7_200) == arrival + Self.delay + .milliseconds(80), "B-pictures come early")
        clock.reset()
        #expect(clock.due(pts: 90_000) == nil)
        #expect(clock.unitArrived(dts: 4, at: arrival) == .started)
    }

    /// The network only delays: with a first unit in time, jitter moves nothing.
    @Test(arguments: 1...20 as ClosedRange<UInt64>) func standsStillUnderJitter(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        var stream = Stream()
        #expect(stream.next() == .started)
        for unit in 0..<2_000 {
            // Some unit in each window is as fast as the network can be.
            let jitter = unit % 20 == 0 ? .zero : Nanoseconds(.random(in: 0...80_000_000, using: &random))
            #expect(stream.next(delayedBy: jitter) == .tracking)
            #expect(stream.error.magnitude < .microseconds(1))
        }
    }

    /// A first unit that came late is made up for, by no more than 0.5 % of the time that passed.
    @Test func approachesByHalfAPercent() {
        var stream = Stream()
        #expect(stream.next(delayedBy: .milliseconds(60)) == .started)
        var before = stream.error
        #expect((before - .milliseconds(60)).magnitude < .microseconds(1))
        for _ in 0..<310 {
            #expect(stream.next() == .tracking)
            let moved = stream.error - before
            #expect(moved <= .microseconds(1) && moved >= -(Self.interval / 200 + .microseconds(1)))
            before = stream.error
        }
        #expect(before.magnitude < .microseconds(1), "60 ms take 12 s")
    }

    /// A sender's crystal that is off by 100 ppm either way is followed without a jump.
    @Test(arguments: [-100, -30, 30, 100] as [Int64]) func followsDrift(partsPerMillion: Int64) {
        var random = SplitMix64(seed: UInt64(bitPattern: partsPerMillion))
        var stream = Stream()
        let interval = Self.interval + Nanoseconds(40 * partsPerMillion)
        #expect(stream.next(interval: interval) == .started)
        var worst = Nanoseconds.zero
        for unit in 0..<25 * 60 * 20 {
            let jitter = unit % 10 == 0 ? .zero : Nanoseconds(.random(in: 0...20_000_000, using: &random))
            #expect(stream.next(delayedBy: jitter, interval: interval) == .tracking)
            worst = max(worst, stream.error.magnitude)
        }
        // Two windows of 2 s at 100 ppm and what jitter hides of the last.
        #expect(worst < .milliseconds(2), "after 20 minutes; without following: 120 ms")
    }

    /// No more than 0.5 %, whatever arrives.
    @Test(arguments: 1...50 as ClosedRange<UInt64>) func neverMovesFaster(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        var stream = Stream()
        _ = stream.next()
        var before = stream.clock.due(pts: 0)
        var latest = stream.origin
        for _ in 0..<500 {
            let jitter = Nanoseconds(.random(in: -300_000_000...300_000_000, using: &random))
            let arrival = stream.sent + jitter
            guard stream.next(delayedBy: jitter) == .tracking, let last = before else {
                Issue.record("within the threshold")
                return
            }
            before = stream.clock.due(pts: 0)
            let elapsed = max(.zero, arrival - latest)
            latest = max(latest, arrival)
            #expect(((before ?? last) - last).magnitude <= elapsed / 200)
        }
    }

    @Test(arguments: [-701, 701, -3_600_000, 90_000_000] as [Int64]) func jumps(milliseconds: Int64) {
        var stream = Stream()
        _ = stream.next()
        #expect(stream.next() == .tracking)
        stream.dts += 90 * milliseconds
        #expect(stream.next() == .jumped)
        #expect(stream.error.magnitude < .microseconds(1), "due at arrival + D at once")
        #expect(stream.next() == .tracking)
    }

    @Test(arguments: [-690, 690] as [Int64]) func smallerStepsAreNoJumps(milliseconds: Int64) {
        var stream = Stream()
        _ = stream.next()
        stream.dts += 90 * milliseconds
        #expect(stream.next() == .tracking)
    }

    /// 26.5 hours after the sender's start its 33 bits are used up; nobody sees it.
    @Test func timeStampsWrap() {
        var unwrapper = TimestampUnwrapper(bits: 33)
        var clock = PlayoutClock(delay: Self.delay)
        var raw: UInt64 = (1 << 33) - 10 * UInt64(Self.frame)
        var arrival = Monotonic(nanoseconds: 0)
        for unit in 0..<20 {
            let dts = unwrapper.unwrap(raw & ((1 << 33) - 1))
            #expect(clock.unitArrived(dts: dts, at: arrival) == (unit == 0 ? .started : .tracking))
            let due = clock.due(pts: dts) ?? Monotonic(nanoseconds: 0)
            #expect((due - (arrival + Self.delay)).magnitude < .microseconds(1))
            raw += UInt64(Self.frame)
            arrival += Self.interval
        }
    }

    /// Time stamps come from outside.
    @Test func neverTraps() {
        var clock = PlayoutClock(delay: Self.delay)
        for dts in [Int64.min, .max, 0, -1, .max - 1] {
            for arrival in [Int64.min, .max, 0] {
                _ = clock.unitArrived(dts: dts, at: Monotonic(nanoseconds: arrival))
                _ = clock.due(pts: dts)
            }
        }
    }
}
