// SPDX-License-Identifier: Apache-2.0
import Synchronization
import System

/// Ends threads on a thread of its own, which is there only while there are any to end: to wait for them would hold up
/// the loop.
/// - Thread: the loop's only.
public final class ThreadEnding {
    private final class Queue: Sendable {
        private struct State {
            var waiting: [(number: Int, body: @Sendable () -> Void)] = []
            var ended: [Int] = []
            var isRunning = false
        }

        private let state = Mutex(State())

        /// - Returns: whether a thread has to be started, because none works.
        func add(_ number: Int, _ body: @escaping @Sendable () -> Void) -> Bool {
            state.withLock { state in
                state.waiting.append((number, body))
                defer { state.isRunning = true }
                return !state.isRunning
            }
        }

        func takeEnded() -> [Int] {
            state.withLock { state in
                defer { state.ended = [] }
                return state.ended
            }
        }

        func work(_ wake: () -> Void) {
            while let next = next() {
                next.body()
                state.withLock { $0.ended.append(next.number) }
                wake()
            }
        }

        private func next() -> (number: Int, body: @Sendable () -> Void)? {
            state.withLock { state in
                guard !state.waiting.isEmpty else {
                    state.isRunning = false
                    return nil
                }
                return state.waiting.removeFirst()
            }
        }
    }

    private let loop: EventLoop
    private let waker: Waker
    private let queue = Queue()
    private var thread: DedicatedThread?
    private var reports: [Int: () -> Void] = [:]
    private var last = 0

    public init(loop: EventLoop) throws(SystemCallError) {
        self.loop = loop
        let inbox = LateHandler()
        waker = try loop.makeWaker { inbox.handler() }
        inbox.handler = { [weak self] in self?.report() }
    }

    /// - Parameters:
    ///   - body: tells threads to end, and waits for them.
    ///   - report: called on the loop's thread when they have ended; not after `stop`.
    public func end(_ body: @escaping @Sendable () -> Void, then report: @escaping () -> Void = {}) {
        last += 1
        reports[last] = report
        guard queue.add(last, body) else { return }
        // The last one has nothing left to do but to return.
        thread?.join()
        thread = nil
        do throws(SystemCallError) {
            thread = try DedicatedThread("sync-ending") { [queue, waker] in queue.work { waker.wake() } }
        } catch {
            // A machine that has no thread left waits for those that are to go.
            queue.work { waker.wake() }
        }
    }

    /// Waits for all that was to be ended; of nothing a report is given any more.
    public func stop() {
        thread?.join()
        thread = nil
        reports = [:]
        loop.remove(waker)
    }

    private func report() {
        for number in queue.takeEnded() { reports.removeValue(forKey: number)?() }
    }
}
