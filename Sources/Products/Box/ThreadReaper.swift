// SPDX-License-Identifier: Apache-2.0
import Buffers
import Synchronization
import System
import Time

/// Joins the threads of what was told to end, on a thread of its own, each as soon as it has ended. One that hangs holds
/// up nobody: neither who gave it here, nor the others.
///
/// - Thread: any.
final class ThreadReaper: Sendable {
    /// Something that was told to end.
    struct Ending: Sendable {
        /// Whether its threads have ended: `finish` does not wait then.
        var hasEnded: @Sendable () -> Bool
        /// Joins its threads and tells whoever waits for that. Called once, on the reaper's thread.
        var finish: @Sendable () -> Void
    }

    /// Most threads end within a picture's time.
    private static let shortPause = Nanoseconds.milliseconds(10)
    /// Between two looks at what has not ended for longer than `patience`.
    private static let longPause = Nanoseconds.milliseconds(500)
    private static let patience = Nanoseconds.seconds(2)

    private let arrivals = Mutex<[Ending]>([])
    private let wakeup = Wakeup()
    private let deadline = LatestValue<Monotonic?>(nil)
    private let left = LatestValue(0)
    private let thread = LatestValue<DedicatedThread?>(nil)

    init() throws(SystemCallError) { thread.set(try DedicatedThread("reaper") { [self] in run() }) }

    func take(_ ending: Ending) {
        arrivals.withLock { $0.append(ending) }
        wakeup.signal()
    }

    /// Waits until all has ended, but not longer than `span`.
    /// - Returns: how many of them have not ended. They go on until the process ends.
    func stop(within span: Nanoseconds) -> Int {
        deadline.set(SystemClock.monotonic() + span)
        wakeup.signal()
        thread.value?.join()
        thread.set(nil)
        return left.value
    }

    /// The owners of threads that still run must not go before them: they stay for as long as the process.
    private func abandon(_ pending: [Ending]) {
        final class Abandoned {
            let endings: [Ending]
            init(_ endings: [Ending]) { self.endings = endings }
        }
        guard !pending.isEmpty else { return }
        _ = Unmanaged.passRetained(Abandoned(pending))
    }

    private func run() {
        var pending: [Ending] = []
        var newest = SystemClock.monotonic()
        while true {
            let arrived = arrivals.withLock { waiting in
                let taken = waiting
                waiting = []
                return taken
            }
            let now = SystemClock.monotonic()
            if !arrived.isEmpty { newest = now }
            pending = (pending + arrived).filter { ending in
                guard ending.hasEnded() else { return true }
                ending.finish()
                return false
            }
            if let deadline = deadline.value, pending.isEmpty || now >= deadline {
                left.set(pending.count)
                abandon(pending)
                return
            }
            let pause = now - newest < Self.patience || deadline.value != nil ? Self.shortPause : Self.longPause
            wakeup.wait(until: pending.isEmpty ? Monotonic(nanoseconds: .max) : now + pause)
        }
    }
}
