// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing

@testable import Reception

struct PathRecordTests {
    @Test(arguments: Effort.seeds(50)) func countsWhatDidNotCome(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        var record = PathRecord()
        var next = UInt16.random(in: 0...65_535, using: &random)
        var (lost, duplicates, reordered) = (0, 0, 0)
        record.received(next)
        for _ in 0..<2_000 {
            switch Int.random(in: 0..<20, using: &random) {
            case 0:
                let count = UInt16.random(in: 1...500, using: &random)
                next &+= count
                lost += Int(count)
                next &+= 1
                record.received(next)
            case 1:
                record.received(next)
                duplicates += 1
            case 2:
                next &+= 3
                record.received(next &- 1)
                record.received(next)
                record.received(next &- 2)
                reordered += 1
            default:
                next &+= 1
                record.received(next)
            }
        }
        for _ in 0..<PathRecord.patience {
            next &+= 1
            record.received(next)
        }
        #expect(record.lost == lost && record.duplicates == duplicates && record.reordered == reordered)
    }

    @Test func aRestartIsBelievedWithItsSuccessor() {
        var record = PathRecord()
        for sequence in UInt16(0)..<10 { record.received(sequence) }
        record.received(11)
        record.received(40_000)
        #expect(record.lost == 0)
        record.received(40_001)
        #expect(record.lost == 1)
        for sequence in UInt16(40_002)...41_000 { record.received(sequence) }
        #expect(record.lost == 1 && record.duplicates == 0 && record.reordered == 0)
    }

    @Test func findsMembersAcrossTheWrap() {
        var set = SequenceSet(span: 128)
        #expect(set.distance(toMemberFrom: 5) == nil)
        set.insert(3)
        #expect(set.distance(toMemberFrom: 65_530) == 9 && set.distance(toMemberFrom: 3) == 0)
        #expect(set.distance(toMemberFrom: 4) == 127)
        set.remove(3)
        #expect(!set.contains(3) && set.distance(toMemberFrom: 0) == nil)
        set.fill(true)
        #expect(set.contains(77) && set.distance(toMemberFrom: 77) == 0)
    }
}
