// SPDX-License-Identifier: Apache-2.0

/// Runs work that may wait, such as writing to a disk, on a thread of its own, and reports its end on the loop's thread.
///
/// - Thread: the loop's thread only.
public final class BackgroundTask {
    private let waker: Waker
    private var thread: DedicatedThread?
    private var done: () -> Void = {}

    public init(loop: EventLoop) throws(SystemCallError) {
        let inbox = LateHandler()
        waker = try loop.makeWaker { inbox.handler() }
        inbox.handler = { [weak self] in self?.finish() }
    }

    /// Starts the work. No other work may be running.
    /// - Parameter done: called on the loop's thread when the work has ended; not called if this throws, or after `stop`.
    public func run(
        _ name: String, _ work: @escaping @Sendable () -> Void, then done: @escaping () -> Void
    ) throws(SystemCallError) {
        precondition(thread == nil, "one task at a time")
        thread = try DedicatedThread(name) { [waker] in
            work()
            waker.wake()
        }
        self.done = done
    }

    private func finish() {
        guard let ended = thread else { return }
        ended.join()
        thread = nil
        let report = done
        done = {}
        report()
    }

    /// Waits for the running work, if there is any. Its end is not reported.
    public func stop() {
        thread?.join()
        thread = nil
        done = {}
    }
}
