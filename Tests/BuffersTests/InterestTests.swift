// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing
import Time

@testable import Buffers

@Suite struct InterestTests {
    @Test func isAskedOnceForEachDeclaration() {
        let interest = Interest()
        var answers = [interest.take(), interest.take()]
        #expect(answers == [true, false], "at first nobody has looked yet")
        interest.declare()
        interest.declare()
        answers = [interest.take(), interest.take()]
        #expect(answers == [true, false])
    }

    private final class Shared: Sendable {
        let ring = HandoffRing<Int>(capacity: 16)
        let interest = Interest()
        let filled = Wakeup()
    }

    /// A wake-up that is lost between the last look and the wait would leave the reader asleep for ever.
    @Test func nothingIsMissed() async {
        let shared = Shared()
        let count = 20_000
        await onThreads {
            var next = 0
            while next < count {
                if shared.ring.take() != nil {
                    next += 1
                    continue
                }
                shared.interest.declare()
                if shared.ring.take() != nil {
                    next += 1
                } else {
                    shared.filled.wait(until: Monotonic(nanoseconds: .max / 2))
                }
            }
        } _: {
            for value in 0..<count {
                while shared.ring.offer(value) != nil { sched_yield() }
                if shared.interest.take() { shared.filled.signal() }
            }
        }
        #expect(shared.ring.count == 0)
    }
}
