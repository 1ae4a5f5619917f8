// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing

@testable import Collecting

@Suite struct ReceivedSequencesTests {
    /// Whatever the order and however often: it says what a plain set says, and rows that follow its changes say the same.
    @Test(arguments: Effort.seeds(200)) func isASet(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        var (received, model): (ReceivedSequences, Set<Int64>) = (ReceivedSequences(), [])
        var rows: [Int64: Int64] = [:]
        for _ in 0..<60 {
            let before = received
            for _ in 0..<Int.random(in: 1...6, using: &random) {
                let sequence = Int64.random(in: 1...80, using: &random)
                #expect(received.contains(sequence) == model.contains(sequence))
                #expect(received.insert(sequence) == (model.insert(sequence).inserted ? .new : .known))
            }
            let (removed, written) = received.changes(since: before)
            for first in removed { rows[first] = nil }
            for range in written { rows[range.lowerBound] = range.upperBound }
            #expect(rows.sorted { $0.key < $1.key }.map { $0.key...$0.value } == received.ranges)
        }
        #expect(received.ranges.flatMap { Array($0) } == model.sorted())
        let last = model.max() ?? 0
        let missing = (1...last).filter { !model.contains($0) }
        #expect(received.missing == Int64(missing.count))
        #expect(received.gaps(limit: .max).flatMap { Array($0) } == missing)
        #expect(received.gaps(limit: 1).count <= 1)
    }

    @Test func aStartWithoutGapsIsOneRange() {
        var received = ReceivedSequences()
        for sequence in 1...10_000 as ClosedRange<Int64> { #expect(received.insert(sequence) == .new) }
        #expect(received.ranges == [1...10_000] && received.missing == 0)
    }

    @Test func theLastSequencesDoNotTrap() {
        var received = ReceivedSequences()
        for sequence in [Int64.max, .max - 1, .max, 1] { _ = received.insert(sequence) }
        let last = Int64.max
        let kept: [ClosedRange<Int64>] = [1...1, (last - 1)...last]
        let missing: [ClosedRange<Int64>] = [2...(last - 2)]
        #expect(received.ranges == kept)
        #expect(received.missing == last - 3 && received.gaps(limit: 9) == missing)
        #expect(received.contains(.max))
    }

    @Test func isBounded() {
        var received = ReceivedSequences()
        for number in 0..<Int64(ReceivedSequences.mostRanges) { #expect(received.insert(1 + 2 * number) == .new) }
        #expect(received.insert(1_000_001) == .full)
        #expect(received.insert(2) == .new)  // it closes a gap
        #expect(received.insert(1_000_001) == .new)
    }

    @Test func rangesOfSequences() {
        #expect([ClosedRange<Int64>](sequences: [3, 1, 2, 2, 7, .max, 9, 8]) == [1...3, 7...9, .max...(.max)])
        #expect([ClosedRange<Int64>](sequences: []).isEmpty)
    }
}
