// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing
import Time

@testable import Forwarding

/// SVM-129: the spool is bounded by octets and by age. What has to give way is counted as lost, and is the oldest.
@Suite struct SpoolBoundsTests {
    /// Three records of 98 octets in each of four segments.
    private static func smallBox() -> SpooledBox {
        SpooledBox { ($0.segmentOctets, $0.mostOctets) = (300, 1_200) }
    }

    private static func fill(_ box: inout SpooledBox, _ count: Int) {
        for number in 0..<count { _ = box.report("\(number)", octets: 70) }
    }

    @Test func theOldestSegmentGivesWay() {
        var box = Self.smallBox()
        Self.fill(&box, 12)
        #expect(box.segments.map(\.first) == [1, 4, 7, 10] && box.spool.counters.lost == 0)
        box.settle(acknowledged: [2])
        Self.fill(&box, 1)
        #expect(box.segments.map(\.first) == [4, 7, 10, 13])
        #expect(box.spool.counters.lost == 2 && box.spool.counters.pending == 10)
        #expect(box.spool.counters.octets <= 1_200)
        // An acknowledgement that comes too late changes nothing.
        box.settle(acknowledged: [1, 3])
        #expect(box.spool.counters.lost == 2 && box.spool.counters.acknowledged == 1)
        // The count is for ever.
        box.crash()
        #expect(box.spool.counters.lost == 2 && box.backlog?.records.first?.sequence == 4)
    }

    @Test func theBoundHoldsWhateverIsReported() {
        var box = Self.smallBox()
        var random = SplitMix64(seed: 3)
        for _ in 0..<400 {
            _ = box.report("x", octets: Int.random(in: 1...272, using: &random))
            #expect(box.disk.files.filter { $0.key.hasSuffix(".spool") }.values.reduce(0) { $0 + $1.count } <= 1_200)
        }
        let counters = box.spool.counters
        #expect(counters.lost + counters.pending == 400 && counters.pending >= 4)
    }

    /// Settings may give a spool less than it has.
    @Test func aSmallerBoundTakesEffect() {
        var box = SpooledBox { $0.segmentOctets = 300 }
        Self.fill(&box, 30)
        box.close()
        var options = box.options
        options.mostOctets = 600
        var random = SplitMix64(seed: 4)
        let spool = Spool(box.disk, options, at: box.moment, &random)
        spool.append(.state, Array("new".utf8), at: box.moment)
        #expect(spool.counters.octets <= 600 && spool.counters.lost == 27 && spool.counters.pending == 4)
    }

    /// Settings may change while there is a spool.
    @Test func otherBoundsAreFollowed() {
        var box = SpooledBox { $0.segmentOctets = 300 }
        Self.fill(&box, 30)
        var options = box.options
        options.mostOctets = 600
        box.spool.follow(options, at: box.moment)
        #expect(box.spool.counters.lost == 0, "what is there stays until there is more")
        _ = box.report("new", octets: 70)
        #expect(box.spool.counters.octets <= 600 && box.spool.counters.lost > 0)
        let pending = box.spool.counters.pending
        options.longestAge = .seconds(60)
        box.spool.follow(options, at: box.moment)
        #expect(box.spool.counters.pending == pending && box.spool.counters.lost + pending == 31)
    }

    // MARK: Age

    private static let hour = Nanoseconds.seconds(3_600)

    /// The newest record of a segment counts, and the segment is closed after a part of that time.
    @Test func segmentsOfThisStartGrowOld() {
        var box = SpooledBox()
        for _ in 0..<80 {
            _ = box.report("hourly")
            box.pass(Self.hour)
        }
        // Three records in a segment: 72 hours are 24 segments, and the one of the last three hours.
        #expect(box.spool.counters.lost + box.spool.counters.pending == 80)
        #expect((72...76).contains(box.spool.counters.pending))
        #expect(box.backlog?.records.first.map { Int64($0.sequence) } == box.spool.counters.lost + 1)
    }

    /// Time that passes while the box is off counts by the wall clock.
    @Test func segmentsOfEarlierStartsGrowOld() {
        var box = SpooledBox()
        _ = box.report("old")
        box.close()
        box.epoch += (Self.hour * 71).count
        box.open()
        #expect(box.spool.counters.pending == 1)
        box.pass(Self.hour / 2)
        #expect(box.spool.counters.pending == 1)
        box.pass(Self.hour)
        #expect(box.spool.counters.pending == 0 && box.spool.counters.lost == 1 && box.segments.isEmpty)
    }

    /// A clock that nobody has set does not make a report old; the time since this start does.
    @Test func aClockThatIsNotSetMakesNothingOld() {
        var box = SpooledBox()
        box.isClockSet = false
        _ = box.report("without a time")
        box.close()
        (box.isClockSet, box.epoch) = (true, box.epoch + (Self.hour * 10_000).count)
        box.open()
        #expect(box.spool.counters.pending == 1)
        box.isClockSet = false
        box.open()
        box.pass(Self.hour * 71)
        #expect(box.spool.counters.pending == 1)
        box.pass(Self.hour * 2)
        #expect(box.spool.counters.pending == 0 && box.spool.counters.lost == 1)
    }

    /// A segment without times is not younger than those behind it.
    @Test func aSegmentWithoutATimeIsAsOldAsTheNextOne() {
        var box = SpooledBox()
        box.isClockSet = false
        _ = box.report("without a time")
        box.close()
        box.isClockSet = true
        box.open()
        _ = box.report("with a time")
        box.close()
        box.epoch += (Self.hour * 73).count
        box.open()
        #expect(box.spool.counters.pending == 0 && box.spool.counters.lost == 2)
    }

    /// A clock that was wrong for a while does not empty the spool when it is put right.
    @Test func aClockThatGoesBackMakesNothingOld() {
        var box = SpooledBox()
        _ = box.report("from the future")
        box.close()
        box.epoch -= (Self.hour * 10_000).count
        box.open()
        box.pass(Self.hour)
        #expect(box.spool.counters.pending == 1)
    }

    @Test func aServiceThatStartsOverAndOverIsBounded() {
        var box = SpooledBox { $0.mostSegments = 20 }
        for _ in 0..<30 {
            _ = box.report("x", .event)
            box.crash()
        }
        #expect(box.segments.count == 20)
        #expect(box.spool.counters.lost == 10 && box.spool.counters.pending == 20)
    }
}
