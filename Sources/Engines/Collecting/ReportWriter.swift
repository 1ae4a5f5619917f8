// SPDX-License-Identifier: Apache-2.0
import Buffers
import Synchronization
import System
import Time

/// Keeps batches of reports in a store, on a thread of its own. Batches that come within a short time are one transaction,
/// because each one costs a write of the disk. A batch is answered when it is on the disk, or when the store has not taken
/// it. After an error the store is opened anew for the next batch.
public final class ReportWriter: Sendable {
    public typealias Answer = @Sendable (Result<BatchOutcome, StoreError>) -> Void

    public struct Options: Sendable {
        /// For how long a batch waits for others.
        public var gathering = Nanoseconds.milliseconds(20)
        /// Reports of one transaction, unless a single batch has more.
        public var mostReports = 2_000
        /// From one look for old rows to the next; while there are more; while the store does not write.
        public var upkeepPeriod = Nanoseconds.seconds(10)
        public var pauseBetweenPortions = Nanoseconds.milliseconds(20)
        public var troubledPeriod = Nanoseconds.seconds(2)

        public init() {}
    }

    struct Waiting {
        let batch: IncomingBatch
        let since: Monotonic
        let answer: Answer
    }

    struct State {
        var waiting: [Waiting] = []
        /// How much waits or is being written.
        var queue = Arrivals.Queue()
        var counters = WriterCounters()
        var trouble: StoreError?
        var isStopping = false
    }

    /// Shared with the thread, which begins before its owner is complete.
    final class Desk: Sendable {
        let state = Mutex(State())
        let wakeup = Wakeup()
        let options: Options

        init(_ options: Options) { self.options = options }
    }

    private let desk: Desk
    private let thread: DedicatedThread

    /// - Parameter store: opened on the thread.
    public init(_ store: ReportStore, _ options: Options = Options()) throws(SystemCallError) {
        let desk = Desk(options)
        self.desk = desk
        thread = try DedicatedThread("reports") { desk.run(store) }
    }

    // MARK: Any thread

    /// - Parameter answer: called once, on the writer's thread.
    public func submit(_ batch: IncomingBatch, _ answer: @escaping Answer) {
        let now = SystemClock.monotonic()
        let octets = batch.octets
        let isUrgent = desk.state.withLock { state in
            state.waiting.append(Waiting(batch: batch, since: now, answer: answer))
            state.queue.reports += batch.reports.count
            state.queue.octets += octets
            return state.waiting.count == 1 || state.queue.reports >= desk.options.mostReports
        }
        if isUrgent { desk.wakeup.signal() }
    }

    public var queue: Arrivals.Queue { desk.state.withLock { $0.queue } }

    /// Why the last transaction was not taken; nil while all is well.
    public var trouble: StoreError? { desk.state.withLock { $0.trouble } }

    public var counters: WriterCounters {
        desk.state.withLock { state in
            var counters = state.counters
            counters.queuedReports = state.queue.reports
            counters.queuedOctets = state.queue.octets
            counters.isHealthy = state.trouble == nil ? 1 : 0
            return counters
        }
    }

    /// Writes what waits, and returns when the thread has ended. Nothing is submitted any more.
    public func stop() {
        desk.state.withLock { $0.isStopping = true }
        desk.wakeup.signal()
        thread.join()
    }
}
