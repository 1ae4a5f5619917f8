// SPDX-License-Identifier: Apache-2.0
import Buffers
import Synchronization
import System
import Time

/// Joins ending threads on a thread of its own, each as soon as it has ended. A thread that hangs delays neither its
/// owner nor the joining of the others.
///
/// - Thread: any.
final class ThreadReaper: Sendable {
    /// An owner of threads that were told to end.
    struct Ending: Sendable {
        /// Whether the threads have ended, so that `finish` does not wait.
        var hasEnded: @Sendable () -> Bool
        /// Joins the threads and reports that. Called once, on the reaper's thread.
        var finish: @Sendable () -> Void
    }

    /// Pause between two checks at first: most threads end within a picture's duration.
    private static let shortPause = Nanoseconds.milliseconds(10)
    /// Pause between two checks once nothing was added for `patience`.
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

    /// Waits until all threads have ended, for `span` at most.
    /// - Returns: the number of `Ending`s that have not ended. They go on until the process ends.
    func stop(within span: Nanoseconds) -> Int {
        deadline.set(SystemClock.monotonic() + span)
        wakeup.signal()
        thread.value?.join()
        thread.set(nil)
        return left.value
    }

    /// Retains the owners of threads that still run until the process ends: they must outlive their threads.
    private func abandon(_ pending: [Ending]) {
        final class Abandoned {
            let endings: [Ending]
            init(_ endings: [Ending]) { self.endings = endings }
        }
        guard !pending.isEmpty else { return }
        _ = Unmanaged.passRetained(Abandoned(pending))
    }

    /// Keeps no reference of its own: an owner, and its sockets, are released as soon as it has finished, not with the
    /// next arrival.
    /// - Returns: whether any came.
    private func takeArrivals(into pending: inout [Ending]) -> Bool {
        let arrived = arrivals.withLock { waiting in
            let taken = waiting
            waiting = []
            return taken
        }
        pending += arrived
        return !arrived.isEmpty
    }

    private func run() {
        var pending: [Ending] = []
        var newest = SystemClock.monotonic()
        while true {
            let now = SystemClock.monotonic()
            // Read before the arrivals: all that were taken before `stop` are among these then.
            let deadline = deadline.value
            if takeArrivals(into: &pending) { newest = now }
            pending.removeAll { ending in
                guard ending.hasEnded() else { return false }
                ending.finish()
                return true
            }
            if let deadline, pending.isEmpty || now >= deadline {
                left.set(pending.count)
                abandon(pending)
                return
            }
            let pause = now - newest < Self.patience || deadline != nil ? Self.shortPause : Self.longPause
            wakeup.wait(until: pending.isEmpty ? Monotonic(nanoseconds: .max) : now + pause)
        }
    }
}
