// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing
import Time

@testable import Forwarding

/// A disk that is full, read-only, gone or slow to come: nothing that can be kept is forgotten, it is told, and the
/// spool goes on when the disk is well again.
@Suite struct SpoolDiskTests {
    /// How a disk fails, and is well again.
    enum Trouble: CaseIterable {
        case full, readOnly, gone

        func begin(_ disk: FakeDisk) {
            switch self {
            case .full: disk.capacity = disk.used + 10
            case .readOnly: disk.isReadOnly = true
            case .gone: disk.vanish()
            }
        }

        func end(_ disk: FakeDisk) { (disk.capacity, disk.isReadOnly) = (.max, false) }
    }

    @Test(arguments: Trouble.allCases) func reportsWaitInMemory(_ trouble: Trouble) {
        var box = SpooledBox()
        for number in 1...3 { _ = box.report("\(number)") }
        box.pass(.seconds(2))
        trouble.begin(box.disk)
        if trouble == .gone { box.disk.isReadOnly = true }
        for number in 4...9 { _ = box.report("\(number)") }
        #expect(box.spool.problem != nil && box.spool.counters.diskFailures == 1)
        // All can be sent meanwhile, the newest first.
        #expect(box.newest == 9 && box.backlog?.records.map(\.sequence).last == (trouble == .gone ? 9 : 3))
        #expect(box.spool.counters.pending == 9)
        let promised = box.spool.promisedThrough
        #expect(promised == (trouble == .gone ? 0 : 3))
        // The disk is tried again every five seconds, and not more often.
        for _ in 0..<20 { box.pass(.seconds(1)) }
        #expect((3...9).contains(box.spool.counters.diskFailures))
        box.settle(acknowledged: [5, 9])
        #expect(box.newest == nil && box.spool.counters.pending == 7)
        trouble.end(box.disk)
        box.pass(.seconds(5))
        #expect(box.spool.problem == nil && box.spool.promisedThrough == 9 && box.spool.counters.unwritten == 0)
        box.pass(.seconds(30))
        box.disk.kill()
        box.losePower()
        #expect(box.backlog?.records.map(\.sequence).first == 1)
        var sequences: [UInt64] = []
        while let batch = box.backlog {
            sequences += batch.records.map(\.sequence)
            box.settle(acknowledged: batch.sequences, of: batch.boot)
        }
        #expect(sequences == [1, 2, 3, 4, 6, 7, 8])
    }

    /// Memory is bounded as well: the oldest reports that the disk never had give way.
    @Test func memoryIsBounded() {
        var box = SpooledBox { $0.mostUnwrittenOctets = 1_000 }
        _ = box.report("kept", octets: 70)
        box.disk.isReadOnly = true
        for number in 0..<20 { _ = box.report("\(number)", octets: 70) }
        #expect(box.spool.counters.unwritten == 10 && box.spool.counters.lost == 10)
        #expect(box.spool.counters.pending == 11 && box.newest == 21)
        box.disk.isReadOnly = false
        box.pass(.seconds(5))
        #expect(box.spool.counters.unwritten == 0 && box.spool.counters.pending == 11)
        box.pass(.seconds(30))
        box.crash()
        #expect(box.spool.counters.lost == 10 && box.spool.counters.pending == 11)
    }

    /// A full disk takes no state, but a segment that is settled is removed, and makes room.
    @Test func settledSegmentsMakeRoom() {
        var box = SpooledBox { $0.segmentOctets = 300 }
        for number in 1...7 { _ = box.report("\(number)", octets: 70) }
        box.disk.capacity = box.disk.used
        _ = box.report("8", octets: 70)
        #expect(box.spool.problem != nil && box.spool.counters.unwritten > 0)
        box.settle(acknowledged: [1, 2, 3])
        box.pass(.seconds(5))
        box.pass(.seconds(5))
        #expect(box.spool.counters.unwritten == 0 && box.segments.first?.first == 4)
        box.crash()
        #expect(box.spool.counters.pending == 5)
    }

    /// While a loss cannot be counted on the disk, nothing is given up there, and the spool does not grow either.
    @Test func nothingIsGivenUpUncounted() {
        var box = SpooledBox { ($0.segmentOctets, $0.mostOctets) = (300, 600) }
        for number in 1...6 { _ = box.report("\(number)", octets: 70) }
        box.pass(.seconds(1))
        for step in 1...100 { box.disk.faults[box.disk.steps + step] = .failure }
        for number in 7...9 { _ = box.report("\(number)", octets: 70) }
        #expect(box.segments.map(\.first) == [1, 4] && box.spool.counters.lost == 0)
        box.disk.faults = [:]
        box.pass(.seconds(5))
        box.pass(.seconds(5))
        #expect(box.spool.counters.lost == 3 && box.spool.counters.unwritten == 0)
    }

    /// After a flush that failed nobody knows what the disk has: it is written again.
    @Test func whatCouldNotBeFlushedIsWrittenAgain() {
        var box = SpooledBox()
        _ = box.report("1")
        box.pass(.milliseconds(500))
        _ = box.report("2")
        box.disk.faults[box.disk.steps + 1] = .failure
        box.pass(.milliseconds(500))
        #expect(box.spool.problem != nil && box.spool.promisedThrough == 1)
        _ = box.report("3")
        box.pass(.seconds(5))
        #expect(box.segments.map(\.first) == [1, 2] && box.spool.promisedThrough == 3)
        box.disk.kill()
        box.losePower()
        #expect(box.spool.counters.pending == 3 && box.spool.counters.lost == 0)
    }

    /// A directory that cannot be read at first is read later, and nothing that is there is forgotten or overwritten.
    @Test func aDirectoryThatComesLate() {
        var box = SpooledBox()
        for number in 1...4 { _ = box.report("\(number)") }
        box.settle(acknowledged: [1, 2])
        box.close()
        for step in 1...3 { box.disk.faults[box.disk.steps + step] = .failure }
        box.open()
        #expect(box.spool.problem != nil && box.spool.counters.pending == 0)
        _ = box.report("new")
        box.settle(acknowledged: [1])
        for _ in 0..<4 { box.pass(.seconds(5)) }
        #expect(box.spool.problem == nil && box.backlog?.records.map(\.sequence) == [3, 4])
        box.close()
        box.open()
        #expect(box.spool.counters.pending == 2 && box.backlog?.records.map(\.sequence) == [3, 4])
    }

    /// A file that can never be read is left alone; the others are read.
    @Test func aFileThatCannotBeRead() {
        var box = SpooledBox()
        for text in ["a", "b"] {
            _ = box.report(text)
            box.close()
            box.open()
        }
        #expect(box.spool.counters.pending == 2)
        box.disk.damage(box.segments[1].description) {
            $0 = [UInt8](repeating: 7, count: SpoolOptions.mostSegmentOctets + 1)
        }
        box.open()
        #expect(box.spool.counters.pending == 0, "the newest is read first")
        for _ in 0..<SpoolOptions.mostReadings { box.pass(.seconds(5)) }
        #expect(box.spool.counters.pending == 1 && box.spool.counters.damaged == 1 && box.spool.problem == nil)
        #expect(box.segments.count == 2)
    }
}
