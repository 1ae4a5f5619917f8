// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing
import Time

@testable import Forwarding

/// SVM-129: what a spool writes, when it flushes, and what a later start finds.
@Suite struct SpoolTests {
    @Test func aLaterStartSendsWhatWasNotAcknowledged() {
        var box = SpooledBox()
        let reports = (1...5).map { box.report("\($0)", $0 == 3 ? .event : .state) }
        #expect(reports.map { $0?.sequence } == [1, 2, 3, 4, 5])
        box.settle(acknowledged: [1, 2, 4])
        let first = box.spool.boot
        box.close()
        box.open()
        #expect(box.spool.boot > first && box.spool.boot.ordinal == first.ordinal + 1)
        #expect(box.spool.counters.pending == 2 && box.backlog?.boot == first)
        #expect(box.backlog?.records == [reports[2], reports[4]].compactMap { $0 })
        #expect(box.spool.summary(octets: 1, at: box.now).newest == nil, "it is of an earlier start")
        // The next start counts from 1 again, under an id of its own.
        #expect(box.report("6")?.sequence == 1)
        box.settle(acknowledged: [3, 5], of: first)
        #expect(box.backlog?.boot == box.spool.boot && box.spool.counters.pending == 1)
        #expect(!box.names.contains { $0.hasPrefix(first.description) })
    }

    /// Flash memory wears: states are flushed once a second, events at once.
    @Test func flushesAreRare() {
        var box = SpooledBox()
        _ = box.report("first")
        var flushes = box.flushes
        #expect(flushes == 1 && box.spool.promisedThrough == 1)
        for _ in 0..<9 {
            box.pass(.milliseconds(100))
            _ = box.report("more")
        }
        #expect(box.flushes == flushes && box.spool.promisedThrough == 1)
        #expect(box.spool.nextTick == box.now + .milliseconds(100))
        box.pass(.milliseconds(100))
        #expect(box.flushes == flushes + 1 && box.spool.promisedThrough == 10)
        #expect(box.spool.nextTick == nil)
        flushes = box.flushes
        for _ in 0..<5 { _ = box.report("at once", .event) }
        #expect(box.flushes == flushes + 5 && box.spool.promisedThrough == 15)
    }

    /// What is settled is written less often, and when the spool is closed.
    @Test func settlingIsWrittenSeldom() {
        var box = SpooledBox()
        for number in 1...8 { _ = box.report("\(number)") }
        for number in 1...6 as ClosedRange<UInt64> {
            box.settle(acknowledged: [number])
            box.pass(.seconds(4))
        }
        #expect(box.disk.stepsOf["rename"] == 1)
        #expect(box.spool.nextTick == box.start + .seconds(30))
        box.pass(.seconds(6))
        #expect(box.disk.stepsOf["rename"] == 2)
        box.settle(acknowledged: [7])
        box.crash()
        #expect(box.backlog?.records.map(\.sequence) == [7, 8], "the last one is sent again")
        box.settle(acknowledged: [7], of: box.backlog?.boot)
        box.close()
        box.open()
        #expect(box.backlog?.records.map(\.sequence) == [8])
    }

    @Test func settledSegmentsAreRemoved() {
        var box = SpooledBox { $0.segmentOctets = 300 }
        for number in 1...9 { _ = box.report("\(number)", octets: 70) }
        #expect(box.segments.count == 3)
        box.settle(acknowledged: [4, 5, 6])
        #expect(box.segments.map(\.first) == [1, 7])
        box.settle(acknowledged: [1, 2], refused: [3])
        #expect(box.segments.map(\.first) == [7])
        // The one that is written to stays until it is full, or the spool is opened again.
        box.settle(acknowledged: [7, 8, 9])
        #expect(box.segments.map(\.first) == [7] && box.spool.counters.pending == 0)
        #expect(box.spool.counters.acknowledged == 8 && box.spool.counters.refused == 1)
        box.close()
        box.open()
        #expect(box.segments.isEmpty && box.spool.counters.pending == 0)
    }

    /// Sequences that are settled already, that were never given, or that are of another boot.
    @Test func otherSettlementsChangeNothing() {
        var box = SpooledBox()
        for number in 1...3 { _ = box.report("\(number)") }
        box.settle(acknowledged: [2])
        let counters = box.spool.counters
        box.settle(acknowledged: [2, 4, 99])
        box.settle(refused: [2, 17])
        box.settle(acknowledged: [1, 3], of: BootID(ordinal: 7, nonce: 7))
        #expect(box.spool.counters == counters)
        box.settle(acknowledged: [1], refused: [1])
        #expect(box.spool.counters.acknowledged == 2 && box.spool.counters.refused == 0)
    }

    @Test func whatIsTooLongIsRefused() {
        var box = SpooledBox()
        #expect(box.report("x", octets: SpoolRecord.mostOctets) != nil)
        #expect(box.report("x", octets: SpoolRecord.mostOctets + 1) == nil)
        #expect(box.report("y")?.sequence == 2)
        #expect(box.spool.counters.tooLong == 1 && box.spool.counters.appended == 2)
        var small = SpooledBox { $0.segmentOctets = 128 }
        #expect(small.report("x", octets: 100) != nil && small.report("x", octets: 101) == nil)
    }

    // MARK: Batches

    @Test func batchesHaveBounds() {
        var box = SpooledBox()
        for number in 1...250 { _ = box.report("\(number)", octets: 10) }
        #expect(box.backlog?.records.count == 100)
        #expect(box.spool.summary(octets: 55, at: box.now).backlog?.records.map(\.sequence) == [1, 2, 3, 4, 5])
        #expect(box.spool.summary(octets: 0, at: box.now).backlog?.records.map(\.sequence) == [1])
        box.settle(acknowledged: RangeSet(1..<200))
        #expect(box.backlog?.records.map(\.sequence) == Array(200...250))
    }

    /// The newest state stands beside the backlog until it is settled or there is a newer one.
    @Test func theNewestStateIsKnown() {
        var box = SpooledBox()
        #expect(box.newest == nil)
        _ = box.report("a")
        _ = box.report("b")
        _ = box.report("c", .event)
        #expect(box.newest == 2)
        box.settle(acknowledged: [2])
        #expect(box.newest == nil && box.backlog?.records.map(\.sequence) == [1, 3])
        _ = box.report("d")
        #expect(box.newest == 4)
    }

    @Test func aReportHasTheTimeOfASetClock() {
        var box = SpooledBox()
        #expect(box.report("a")?.time == box.moment.wall)
        box.isClockSet = false
        #expect(box.report("b")?.time == nil)
        #expect(box.spool.counters.pending == 2)
    }

    // MARK: Damage

    /// Damaged records are counted as damaged once for each start, and as lost once for ever.
    @Test func damageIsCountedAndPassedOver() {
        var box = SpooledBox()
        for number in 1...5 { _ = box.report("\(number)", octets: 20) }
        box.close()
        let name = box.names.first { $0.hasSuffix(".spool") } ?? ""
        box.disk.damage(name) { $0[48 + 30] ^= 1 }
        for _ in 0..<2 {
            box.open()
            #expect(box.spool.counters.damaged == 1 && box.spool.counters.lost == 1)
            #expect(box.backlog?.records.map(\.sequence) == [1, 3, 4, 5])
            box.close()
        }
        box.disk.damage(name) { $0.removeLast(3) }
        box.open()
        #expect(box.spool.counters.torn == 1 && box.backlog?.records.map(\.sequence) == [1, 3, 4])
    }

    /// Damage that comes while the spool is open is noticed when the segment is read.
    @Test func laterDamageIsCounted() {
        var box = SpooledBox { $0.segmentOctets = 100 }
        for number in 1...4 { _ = box.report("\(number)", octets: 20) }
        box.disk.damage(box.segments[0].description) { $0[30] ^= 1 }
        #expect(box.backlog?.records.map(\.sequence) == [2])
        #expect(box.spool.counters.lost == 1 && box.spool.counters.pending == 3)
    }

    /// A box that has lost its state sends again what was acknowledged, and the reporter knows it.
    @Test func aDamagedStateIsNone() {
        var box = SpooledBox()
        for number in 1...3 { _ = box.report("\(number)") }
        box.settle(acknowledged: [1])
        box.close()
        box.disk.damage(SpoolState.fileName) { $0[9] ^= 1 }
        box.open()
        #expect(box.spool.counters.damaged == 1 && box.spool.counters.pending == 3)
        box.settle(acknowledged: [2], of: box.backlog?.boot)
        box.close()
        box.open()
        #expect(box.spool.counters.damaged == 0 && box.backlog?.records.map(\.sequence) == [1, 3])
    }

    /// Files of others stay as they are.
    @Test func otherFilesAreLeftAlone() throws {
        var box = SpooledBox()
        for name in ["lost+found", "notes.txt", "x.spool"] { try box.disk.create(name, with: [1]) }
        try box.disk.create("settled.new", with: [1])
        box.open()
        _ = box.report("a")
        #expect(box.names.filter { $0.hasPrefix("0000") }.count == 1)
        #expect(Set(box.names).isSuperset(of: ["lost+found", "notes.txt", "x.spool"]))
        #expect(!box.names.contains("settled.new"))
    }
}
