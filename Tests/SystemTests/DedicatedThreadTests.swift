// SPDX-License-Identifier: Apache-2.0
import Glibc
import Synchronization
import Testing

@testable import System

@Suite struct DedicatedThreadTests {
    private final class Seen: Sendable {
        let policy = Atomic<Int32>(-1)
        let inner = Atomic<Int32>(-1)
    }

    /// An urgent thread runs, permitted or not; where it is, those that it makes are usual ones.
    @Test(arguments: [ThreadUrgency.usual, .prompt, .paced]) func urgencyIsOfTheThreadAlone(
        urgency: ThreadUrgency
    ) throws {
        let (before, seen) = (DedicatedThread.urgencyRefusals, Seen())
        let thread = try DedicatedThread("urgent", urgency: urgency) {
            seen.policy.store(sched_getscheduler(0), ordering: .relaxed)
            let child = try? DedicatedThread("child") { seen.inner.store(sched_getscheduler(0), ordering: .relaxed) }
            child?.join()
        }
        thread.join()
        let policy = seen.policy.load(ordering: .relaxed)
        #expect(policy >= 0 && seen.inner.load(ordering: .relaxed) == SCHED_OTHER)
        if urgency == .usual {
            #expect(policy == SCHED_OTHER)
        } else if policy == SCHED_OTHER {
            // Raised at least, or counted.
            #expect(DedicatedThread.urgencyRefusals >= before)
        }
    }
}
