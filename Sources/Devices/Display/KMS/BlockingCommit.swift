// SPDX-License-Identifier: Apache-2.0
import Buffers
import Glibc
import Synchronization
import System
import Time

/// A blocking commit on a thread of its own. Its completion is reported like a page flip event.
/// - Thread: any; one commit at a time.
final class BlockingCommit: Sendable {
    private struct Running: Sendable {
        let thread: DedicatedThread
        let outcome: LatestValue<PageFlip?>
    }

    private let running = Mutex<Running?>(nil)

    /// Waits for a running commit. Its outcome is dropped.
    func wait() {
        let thread = running.withLock { running -> DedicatedThread? in
            defer { running = nil }
            return running?.thread
        }
        thread?.join()
    }

    /// Whether a commit is running or its outcome has not been taken.
    var isRunning: Bool { running.withLock { $0 != nil } }

    /// - Parameter body: makes the commit; returns its errno, or nil on success.
    func run(token: UInt64, _ body: @escaping @Sendable () -> Int32?) throws(DisplayError) {
        precondition(!isRunning)
        let outcome = LatestValue<PageFlip?>(nil)
        do throws(SystemCallError) {
            let thread = try DedicatedThread("modeset") {
                let refusal = body()
                outcome.set(PageFlip(token: token, visible: SystemClock.monotonic(), refusal: refusal))
            }
            running.withLock { $0 = Running(thread: thread, outcome: outcome) }
        } catch {
            throw .kms(error.call, code: error.code.rawValue)
        }
    }

    /// nil while the commit runs.
    func takeOutcome() -> PageFlip? {
        let ended = running.withLock { running -> (thread: DedicatedThread, flip: PageFlip)? in
            guard let one = running, let flip = one.outcome.value else { return nil }
            running = nil
            return (one.thread, flip)
        }
        ended?.thread.join()
        return ended?.flip
    }
}
