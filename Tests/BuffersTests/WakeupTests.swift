// SPDX-License-Identifier: Apache-2.0
import Buffers
import Foundation
import TestSupport
import Testing
import Time

@Suite struct WakeupTests {
    private static var now: Monotonic {
        var instant = timespec()
        clock_gettime(CLOCK_MONOTONIC, &instant)
        return Monotonic(nanoseconds: Int64(instant.tv_sec) * 1_000_000_000 + Int64(instant.tv_nsec))
    }

    @Test func keepsOneSignal() {
        let wakeup = Wakeup()
        wakeup.signal()
        wakeup.signal()
        #expect(wakeup.wait(until: Self.now + .seconds(60)))
        #expect(!wakeup.wait(until: Self.now), "two signals that nobody waited for are one")
    }

    @Test func timesOut() {
        let deadline = Self.now + .milliseconds(30)
        #expect(!Wakeup().wait(until: deadline))
        #expect(Self.now >= deadline)
    }

    /// Soon after boot, now − D lies before 0: this waited for ever, holding the lock.
    @Test(.timeLimit(.minutes(1)), arguments: [0, -1, -1_500_000_000, .min] as [Int64])
    func returnsFromDeadlinesLongPast(nanoseconds: Int64) {
        let wakeup = Wakeup()
        #expect(!wakeup.wait(until: Monotonic(nanoseconds: nanoseconds)))
        wakeup.signal()
        #expect(wakeup.wait(until: Monotonic(nanoseconds: nanoseconds)))
    }

    /// Each thread waits for the other: a lost signal would leave both waiting.
    @Test func wakesOtherThread() async {
        let turns = 10_000
        let ping = Wakeup()
        let pong = Wakeup()
        let lost = Counter()
        await onThreads(
            {
                for _ in 0..<turns {
                    ping.signal()
                    if !pong.wait(until: Self.now + .seconds(20)) { lost.add() }
                }
            },
            {
                for _ in 0..<turns {
                    if !ping.wait(until: Self.now + .seconds(20)) { lost.add() }
                    pong.signal()
                }
            })
        #expect(lost.value == 0)
    }
}
