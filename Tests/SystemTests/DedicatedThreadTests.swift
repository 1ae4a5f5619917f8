// SPDX-License-Identifier: Apache-2.0
import Glibc
import Synchronization
import Testing

@testable import System

@Suite struct DedicatedThreadTests {
    private final class Seen: Sendable {
        let policy = Atomic<Int32>(-1)
        let niceness = Atomic<Int32>(.max)
        let inner = Atomic<Int32>(-1)
    }

    /// `SCHED_RESET_ON_FORK` of sched(7), which the policy that is told contains.
    private static let resetOnFork: Int32 = 0x4000_0000

    /// Whether the kernel lets a thread of this process run in real time; asked of a thread that ends with the question.
    private static func mayRunInRealTime() throws -> Bool {
        let answer = Seen()
        let thread = try DedicatedThread("asks") {
            var parameters = sched_param()
            parameters.sched_priority = 1
            answer.policy.store(sched_setscheduler(0, SCHED_RR, &parameters), ordering: .relaxed)
        }
        thread.join()
        return answer.policy.load(ordering: .relaxed) == 0
    }

    /// An urgent thread runs, permitted or not; where it is, those that it makes are usual ones.
    @Test(arguments: [ThreadUrgency.usual, .prompt, .paced]) func urgencyIsOfTheThreadAlone(
        urgency: ThreadUrgency
    ) throws {
        let isPermitted = try Self.mayRunInRealTime()
        let (before, seen) = (DedicatedThread.urgencyRefusals, Seen())
        let thread = try DedicatedThread("urgent", urgency: urgency) {
            seen.policy.store(sched_getscheduler(0), ordering: .relaxed)
            seen.niceness.store(getpriority(.init(PRIO_PROCESS.rawValue), 0), ordering: .relaxed)
            let child = try? DedicatedThread("child") { seen.inner.store(sched_getscheduler(0), ordering: .relaxed) }
            child?.join()
        }
        thread.join()
        let policy = seen.policy.load(ordering: .relaxed)
        let niceness = seen.niceness.load(ordering: .relaxed)
        #expect(seen.inner.load(ordering: .relaxed) == SCHED_OTHER)
        if urgency == .usual {
            #expect(policy == SCHED_OTHER)
        } else if isPermitted {
            #expect(policy == SCHED_RR | Self.resetOnFork)
        } else {
            // Raised at least, or counted.
            #expect(policy == SCHED_OTHER)
            #expect(niceness < 0 || DedicatedThread.urgencyRefusals > before, "niceness \(niceness)")
        }
    }
}
