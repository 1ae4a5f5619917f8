// SPDX-License-Identifier: Apache-2.0
import Buffers
import Synchronization
import System
import Time

/// Answers questions about what a store has, on a thread of its own, one after the other.
public final class ReportReading: Sendable {
    public typealias Question = @Sendable (StoreReader) throws(StoreError) -> Void

    private struct Waiting {
        let question: Question
        let failed: @Sendable (StoreError) -> Void
    }

    private struct State {
        var waiting: [Waiting] = []
        var isStopping = false
    }

    /// Shared with the thread, which begins before its owner is complete.
    private final class Desk: Sendable {
        let state = Mutex(State())
        let wakeup = Wakeup()
    }

    /// Questions that wait.
    private static let limit = 256

    private let desk = Desk()
    private let thread: DedicatedThread

    /// - Parameter store: opened on the thread, when the first question comes.
    public init(_ store: ReportStore) throws(SystemCallError) {
        let desk = desk
        thread = try DedicatedThread("report-reading") { Self.run(store, desk) }
    }

    /// - Parameters:
    ///   - question: asked once, on the reading thread, unless the store cannot be opened.
    ///   - failed: told why the store did not answer; on that thread.
    /// - Returns: false if too many questions wait. Then nothing is called.
    public func ask(_ question: @escaping Question, failed: @escaping @Sendable (StoreError) -> Void) -> Bool {
        let isTaken = desk.state.withLock { state in
            guard state.waiting.count < Self.limit, !state.isStopping else { return false }
            state.waiting.append(Waiting(question: question, failed: failed))
            return true
        }
        if isTaken { desk.wakeup.signal() }
        return isTaken
    }

    /// Answers what waits, and returns when the thread has ended.
    public func stop() {
        desk.state.withLock { $0.isStopping = true }
        desk.wakeup.signal()
        thread.join()
    }

    private static func run(_ store: ReportStore, _ desk: Desk) {
        var reader: StoreReader?
        while true {
            let (taken, isStopping) = desk.state.withLock { state in
                let taken = state.waiting
                state.waiting = []
                return (taken, state.isStopping)
            }
            for waiting in taken {
                do throws(StoreError) {
                    let opened = if let reader { reader } else { try store.openReader() }
                    reader = opened
                    try waiting.question(opened)
                } catch {
                    reader = nil
                    waiting.failed(error)
                }
            }
            if isStopping { return }
            if taken.isEmpty { desk.wakeup.wait(until: SystemClock.monotonic() + .seconds(60)) }
        }
    }
}
