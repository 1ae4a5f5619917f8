// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing
import Time

@testable import Timelines

/// Streams that lie and networks that fail; each under its name.
@Suite struct StreamClockFaultTests {
    private static func locked(seed: UInt64 = 7, jitter: Int64 = 20) -> SimulatedStream {
        var stream = SimulatedStream(seed: seed)
        stream.network = .jitter(.milliseconds(jitter))
        stream.drift = 30
        stream.run(.seconds(20))
        return stream
    }

    /// The 33 bits of decoding times and the 42 of references are used up at the same time; nobody sees it.
    @Test func stampsWrap() {
        var stream = SimulatedStream(seed: 2)
        let wrap = TickRate.mpeg.nanoseconds(1 << 33) - .seconds(15)
        stream.referenceShift = wrap
        stream.unitShift = wrap
        stream.run(.seconds(6))
        var course = Course()
        stream.run(.seconds(40)) { course.observe(&$0) }
        #expect(course.worst < .milliseconds(1) && !course.isTooFast)
        #expect(stream.clock.statistics.jumps == 0 && stream.clock.statistics.doubtfulReferences == 0)
    }

    @Test(arguments: [-3_600_000, -5_000, -701, -300, 705, 5_000, 3_600_000, 40_000_000] as [Int64], [false, true])
    func timeLineJumps(milliseconds: Int64, isSignalled: Bool) {
        var stream = Self.locked()
        stream.referenceShift = stream.referenceShift + .milliseconds(milliseconds)
        stream.unitShift = stream.unitShift + .milliseconds(milliseconds)
        stream.isDiscontinuity = isSignalled
        stream.run(.milliseconds(200))
        #expect((stream.error ?? .seconds(9)).magnitude < .milliseconds(21), "followed within 200 ms, but for jitter")
        #expect(stream.clock.statistics.jumps == 1)
        stream.run(.seconds(6))
        var course = Course()
        stream.run(.seconds(10)) { course.observe(&$0) }
        #expect(course.worst < .milliseconds(2) && !course.isTooFast)
        #expect(stream.clock.statistics.jumps == 1)
    }

    @Test(arguments: [-3_600_000, -701, 705, 40_000_000] as [Int64])
    func timeLineOfUnitsAloneJumps(milliseconds: Int64) {
        var stream = SimulatedStream(seed: 7)
        stream.referenceInterval = nil
        stream.run(.seconds(20))
        stream.unitShift = stream.unitShift + .milliseconds(milliseconds)
        stream.run(.milliseconds(200))
        #expect((stream.error ?? .seconds(9)).magnitude < .milliseconds(1))
        #expect(stream.clock.statistics.jumps == 1)
    }

    /// Packets that are known to be missing between references place no unit wrongly.
    @Test func lostPacketsLeaveTheBase() {
        var stream = Self.locked(jitter: 0)
        var course = Course()
        for _ in 0..<100 {
            stream.run(.milliseconds(130)) { course.observe(&$0) }
            stream.clock.packetsLost()
        }
        #expect(course.worst < .milliseconds(1) && !course.isTooFast)
    }

    /// A step forward that is no longer than a pause might be is made up for at 0.5 %, its end more slowly.
    @Test(arguments: [50, 200] as [Int64]) func smallStepsAreSlewed(milliseconds: Int64) {
        var stream = Self.locked()
        stream.referenceShift = stream.referenceShift + .milliseconds(milliseconds)
        stream.unitShift = stream.unitShift + .milliseconds(milliseconds)
        var course = Course()
        stream.run(.seconds(45 + milliseconds / 4)) { course.observe(&$0) }
        #expect(!course.isTooFast && stream.clock.statistics.jumps == 0)
        #expect((stream.error ?? .seconds(9)).magnitude < .milliseconds(2))
    }

    /// The network holds everything for 3 s and then delivers it: the stamps go on, and so does the clock.
    @Test func networkStalls() {
        var stream = Self.locked()
        stream.heldUntil = stream.now + .seconds(3)
        var course = Course()
        stream.run(.seconds(20)) { course.observe(&$0) }
        #expect(!course.isTooFast && course.worst < .milliseconds(3))
        #expect(stream.clock.statistics.jumps == 0 && stream.clock.statistics.stalls == 1)
    }

    /// Nothing is sent for 10 s, and what follows is 10 s later than it would have been.
    @Test func senderPauses() {
        var stream = Self.locked()
        stream.paused = .seconds(10)
        stream.run(.milliseconds(400))
        #expect((stream.error ?? .seconds(99)).magnitude < .milliseconds(21))
        #expect(stream.clock.statistics.jumps == 0 && stream.clock.statistics.stalls == 1)
        stream.run(.seconds(6))
        #expect((stream.error ?? .seconds(99)).magnitude < .milliseconds(2))
    }

    /// Nothing arrives for 10 s, and its stamps are left out too.
    @Test func everythingIsLostForAWhile() {
        var stream = Self.locked()
        let gap = Nanoseconds.seconds(10)
        stream.paused = gap
        stream.referenceShift = stream.referenceShift + gap
        stream.unitShift = stream.unitShift + gap
        stream.run(.milliseconds(100))
        var course = Course()
        stream.run(.seconds(5)) { course.observe(&$0) }
        #expect(course.worst < .milliseconds(2) && !course.isTooFast)
        #expect(stream.clock.statistics.jumps == 0)
    }

    @Test func referencesAreLost() {
        var stream = SimulatedStream(seed: 12)
        stream.network = .jitter(.milliseconds(20))
        stream.losesReferences = 70
        stream.run(.seconds(8))
        var course = Course()
        stream.run(.seconds(60)) { course.observe(&$0) }
        #expect(course.worst < .milliseconds(2) && !course.isTooFast)
        #expect(stream.clock.statistics.source == .references)
    }

    @Test(arguments: 1...20 as ClosedRange<UInt64>) func garbageReferences(seed: UInt64) {
        var stream = Self.locked(seed: seed)
        var course = Course()
        stream.isGarbage = true
        stream.run(.seconds(1)) { course.observe(&$0) }
        stream.isGarbage = false
        stream.run(.seconds(5)) { course.observe(&$0) }
        #expect(course.worst < .milliseconds(2) && !course.isTooFast)
        #expect(stream.clock.statistics.doubtfulReferences == 25)
    }

    /// References that are garbage from the beginning on never become the clock.
    @Test(arguments: 1...5 as ClosedRange<UInt64>) func nothingButGarbage(seed: UInt64) {
        var stream = SimulatedStream(seed: seed)
        stream.isGarbage = true
        stream.run(.seconds(6))
        var course = Course()
        stream.run(.seconds(20)) { course.observe(&$0) }
        #expect(stream.clock.statistics.source == .timeStamps)
        #expect(course.worst < .milliseconds(2))
    }

    @Test(arguments: [50, 90, 110, 200] as [Int64]) func referencesOfAWrongRateAreRefused(percent: Int64) {
        var stream = SimulatedStream(seed: 9)
        stream.network = .jitter(.milliseconds(20))
        stream.referenceRate = percent
        stream.run(.seconds(6))
        #expect(stream.clock.statistics.source == .timeStamps)
        stream.run(.seconds(4))
        var course = Course()
        stream.run(.seconds(20)) { course.observe(&$0) }
        #expect(course.worst < .milliseconds(2) && !course.isTooFast)
    }

    /// References of another time line than the units have: the units are the clock.
    @Test func unrelatedReferences() {
        var stream = SimulatedStream(seed: 10)
        stream.referenceShift = .seconds(50)
        stream.run(.seconds(8))
        var course = Course()
        stream.run(.seconds(20)) { course.observe(&$0) }
        #expect(stream.clock.statistics.source == .timeStamps && course.worst < .milliseconds(2))
    }

    /// The network's way becomes 30 ms longer, later as much shorter.
    @Test func routeChanges() {
        var stream = Self.locked()
        stream.paused = .milliseconds(30)
        var course = Course()
        stream.run(.seconds(60)) { course.observe(&$0) }
        #expect((stream.error ?? .seconds(9)).magnitude < .milliseconds(2), "found after 6 s")
        stream.paused = .zero
        stream.run(.seconds(60)) { course.observe(&$0) }
        #expect((stream.error ?? .seconds(9)).magnitude < .milliseconds(2))
        #expect(!course.isTooFast && stream.clock.statistics.jumps == 0)
    }

    /// Stamps and arrivals come from outside; nothing traps.
    @Test(arguments: 1...20 as ClosedRange<UInt64>) func neverTraps(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        var clock = StreamClock()
        let instants: [Int64] = [.min, .max, 0, -1, .max - 1, .min + 1, 1 << 62]
        for _ in 0..<2_000 {
            let wild = Bool.random(using: &random)
            let arrival =
                wild ? instants.randomElement(using: &random) ?? 0 : .random(in: .min ... .max, using: &random)
            if Bool.random(using: &random) {
                clock.referenceReceived(
                    pcr: random.next(), isDiscontinuity: Bool.random(using: &random),
                    packet: .random(in: .min ... .max, using: &random), at: Monotonic(nanoseconds: arrival))
            } else {
                clock.unitCompleted(
                    dts: random.next(), packet: .random(in: .min ... .max, using: &random),
                    at: Monotonic(nanoseconds: arrival))
            }
            _ = clock.correlation?.ticks(of: random.next(), near: Monotonic(nanoseconds: arrival))
            _ = clock.statistics
        }
    }
}
