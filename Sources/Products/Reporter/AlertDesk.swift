// SPDX-License-Identifier: Apache-2.0
import Buffers
import Collecting
import Synchronization
import System
import Time

/// Watches boxes by the rules of the configuration and tells alerts, on a thread of its own with its own connection to the
/// store.
final class AlertDesk: Sendable {
    /// Shared with the thread, which begins before its owner is complete.
    final class Shared: Sendable {
        let counters = Mutex(AlertCounters())
        let isStopping = Mutex(false)
        let wakeup = Wakeup()

        func count(_ change: (inout AlertCounters) -> Void) { counters.withLock { change(&$0) } }
    }

    private let shared = Shared()
    private let thread: DedicatedThread

    /// - Parameter isHearing: whether the store takes reports now; called on the thread.
    init(
        _ store: ReportStore, _ configuration: AlertConfiguration, isHearing: @escaping @Sendable () -> Bool
    ) throws(SystemCallError) {
        let shared = shared
        thread = try DedicatedThread("alerts") {
            let work = AlertWork(store, configuration, shared, isHearing: isHearing)
            while !shared.isStopping.withLock({ $0 }) { shared.wakeup.wait(until: work.turn()) }
            work.stop()
        }
    }

    var counters: AlertCounters { shared.counters.withLock { $0 } }

    /// Returns when the thread has ended. What was not told is told after the next start.
    func stop() {
        shared.isStopping.withLock { $0 = true }
        shared.wakeup.signal()
        thread.join()
    }
}
