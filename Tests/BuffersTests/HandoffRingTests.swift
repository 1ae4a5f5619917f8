// SPDX-License-Identifier: Apache-2.0
import Buffers
import Foundation
import TestSupport
import Testing

@Suite struct HandoffRingTests {
    /// Counts how often it is let go.
    private struct Token: ~Copyable {
        let number: Int
        let released: Counter

        deinit { released.add() }
    }

    @Test(arguments: [1, 2, 3, 64]) func fillsAndEmpties(capacity: Int) {
        let ring = HandoffRing<Int>(capacity: capacity)
        for round in 0..<3 {
            #expect(ring.take() == nil && ring.count == 0)
            for index in 0..<capacity {
                #expect(!ring.isFull)
                #expect(ring.offer(round * 100 + index) == nil)
            }
            #expect(ring.isFull && ring.count == capacity)
            #expect(ring.offer(-1) == -1, "a full ring gives the element back")
            for index in 0..<capacity { #expect(ring.take() == round * 100 + index) }
        }
    }

    @Test func releasesEachElementOnce() {
        let released = Counter()
        do {
            let ring = HandoffRing<Token>(capacity: 3)
            for number in 0..<3 {
                if ring.offer(Token(number: number, released: released)) != nil { Issue.record("not full yet") }
            }
            #expect(released.value == 0)
            if let refused = ring.offer(Token(number: 3, released: released)) {
                #expect(refused.number == 3 && released.value == 0)
            } else {
                Issue.record("a full ring took another element")
            }
            #expect(released.value == 1)
            if let first = ring.take() { #expect(first.number == 0) } else { Issue.record("nothing is in the ring") }
            #expect(released.value == 2)
        }
        #expect(released.value == 4, "what was never taken goes with the ring")
    }

    /// Thousands of times the ring's elements from one thread to another: all of them, in order, each released once.
    @Test(arguments: [1, 7, 256]) func handsOverBetweenThreads(capacity: Int) async {
        let total = capacity * 4_000  // they take turns, each of which may be a busy machine's time slice
        let ring = HandoffRing<Token>(capacity: capacity)
        let released = Counter()
        let disorder = Counter()
        await onThreads(
            {
                for number in 0..<total {
                    var refused = ring.offer(Token(number: number, released: released))
                    while let token = refused.take() {
                        sched_yield()
                        refused = ring.offer(token)
                    }
                }
            },
            {
                var expected = 0
                while expected < total {
                    guard let token = ring.take() else {
                        sched_yield()
                        continue
                    }
                    if token.number != expected { disorder.add() }
                    expected += 1
                }
            })
        #expect(disorder.value == 0)
        #expect(released.value == total)
        #expect(ring.count == 0)
    }
}
