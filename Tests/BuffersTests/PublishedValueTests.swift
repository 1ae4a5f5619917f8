// SPDX-License-Identifier: Apache-2.0
import Buffers
import TestSupport
import Testing

@Suite struct PublishedValueTests {
    private struct Counters: Sendable, Equatable {
        var first: Int64 = 0
        var middle: [Int64] = [0]
        var padding = SIMD16<Int64>(repeating: 0)
        var last: Int64 = 0
    }

    @Test func theNewestIsRead() {
        let cell = PublishedValue(0)
        #expect(cell.value == 0)
        for value in 1...10 {
            cell.set(value)
            if value % 3 == 0 { #expect(cell.value == value && cell.value == value) }
        }
        #expect(cell.value == 10)
    }

    /// A torn copy would have members of different instants; a slot that two hold would crash on the array.
    @Test func copiesAreWholeAndNeverGoBack() async {
        let cell = PublishedValue(Counters())
        let isDone = StopFlag()
        let (torn, backward) = (Counter(), Counter())
        let rounds: Int64 = 50_000
        let read: @Sendable () -> Void = {
            var before: Int64 = 0
            while !isDone.isRaised {
                let copy = cell.value
                let isWhole =
                    copy.middle == [copy.first] && copy.last == copy.first
                    && copy.padding == SIMD16(repeating: copy.first)
                if !isWhole { torn.add() }
                if copy.first < before { backward.add() }
                before = copy.first
            }
        }
        await onThreads(
            {
                for round in 1...rounds {
                    cell.set(Counters(first: round, middle: [round], padding: SIMD16(repeating: round), last: round))
                }
                isDone.raise()
            }, read, read)
        #expect(torn.value == 0 && backward.value == 0)
        #expect(cell.value.first == rounds)
    }
}
