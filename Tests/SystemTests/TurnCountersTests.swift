// SPDX-License-Identifier: Apache-2.0
import Statistics
import Testing
import Time

@testable import System

@Suite struct TurnCountersTests {
    @Test func turnsAreCountedWithoutTheirWaiting() throws {
        let loop = try EventLoop()
        var pause = Nanoseconds.zero
        _ = loop.every(.milliseconds(5)) {
            if pause > .zero { SystemClock.sleep(until: SystemClock.monotonic() + pause) }
        }
        for _ in 0..<3 { try loop.turn(atMost: .seconds(1)) }
        let waiting = loop.turns
        #expect(waiting.turns == 3 && waiting.turnUs.total == 3)
        pause = .milliseconds(30)
        try loop.turn(atMost: .seconds(1))
        #expect(loop.turns.turns == 4 && loop.turns.longestTurnUs >= 30_000)
        let shorter = zip(loop.turns.turnUs.bounds, loop.turns.turnUs.buckets).filter { $0.0 < 30_000 }
        #expect(shorter.reduce(0) { $0 + $1.1 } <= 3, "the long turn stands behind the bound that it passed")
    }
}
