// SPDX-License-Identifier: Apache-2.0
import Buffers
import Collecting
import Journal
import Synchronization
import System
import Time

/// Works on a book on a thread of its own, one job after the other, and reads each second what others have written.
final class EnrolmentKeeper: Sendable {
    typealias Job = @Sendable (EnrolmentBook) -> Void

    /// Jobs that wait.
    private static let limit = 256
    private static let period = Nanoseconds.seconds(1)

    private struct State {
        var waiting: [Job] = []
        var isStopping = false
    }

    /// Shared with the thread, which begins before its owner is complete.
    private final class Desk: Sendable {
        let state = Mutex(State())
        let wakeup = Wakeup()
    }

    private let desk = Desk()
    private let thread: DedicatedThread

    init(_ store: EnrolmentStore, _ known: KnownCallers, log: Log) throws(SystemCallError) {
        let desk = desk
        thread = try DedicatedThread("enrolments") { Self.run(EnrolmentBook(store, known, log: log), desk, log) }
    }

    /// - Returns: false if too many wait. Then the job is not done.
    func submit(_ job: @escaping Job) -> Bool {
        let isTaken = desk.state.withLock { state in
            guard state.waiting.count < Self.limit, !state.isStopping else { return false }
            state.waiting.append(job)
            return true
        }
        if isTaken { desk.wakeup.signal() }
        return isTaken
    }

    /// Does what waits, and returns when the thread has ended.
    func stop() {
        desk.state.withLock { $0.isStopping = true }
        desk.wakeup.signal()
        thread.join()
    }

    private static func run(_ book: EnrolmentBook, _ desk: Desk, _ log: Log) {
        var due = SystemClock.monotonic()
        while true {
            if SystemClock.monotonic() >= due {
                due = SystemClock.monotonic() + period
                do throws(StoreError) {
                    try book.follow()
                    book.tidy()
                } catch {
                    log(.debug, "enrolments are not read", ["why": error])  // the writer of reports tells of the store
                }
            }
            let (taken, isStopping) = desk.state.withLock { state in
                let taken = state.waiting
                state.waiting = []
                return (taken, state.isStopping)
            }
            for job in taken { job(book) }
            if isStopping { return }
            if taken.isEmpty { desk.wakeup.wait(until: due) }
        }
    }
}
