// SPDX-License-Identifier: Apache-2.0
import CSystemShims
import Glibc
import Synchronization

/// A thread for one job: receive, decode, render or audio. Its owner joins it before what the thread uses is released.
public final class DedicatedThread: @unchecked Sendable {
    // Sendable: `handle` is written once in `init` and given up in `join`, which only the owner calls.
    private var handle: pthread_t?

    /// Seconds of CPU time that an urgent thread may use without blocking.
    private static let longestBurst: Int32 = 5
    /// Nice value of an urgent thread if real-time scheduling is refused.
    private static let niceness: Int32 = -10
    private static let refused = Atomic<Int>(0)

    /// Number of urgent threads in this process that run like any other, because the system permits neither.
    public static var urgencyRefusals: Int { refused.load(ordering: .relaxed) }

    private final class Start {
        let name: String
        let urgency: ThreadUrgency
        let body: @Sendable () -> Void
        init(name: String, urgency: ThreadUrgency, body: @escaping @Sendable () -> Void) {
            self.name = name
            self.urgency = urgency
            self.body = body
        }
    }

    /// - Parameters:
    ///   - name: at most 15 octets; shown by `ps -L` and by the journal.
    ///   - urgency: not inherited by threads and processes that the thread creates.
    ///   - body: runs once on the new thread.
    public init(
        _ name: String, urgency: ThreadUrgency = .usual, _ body: @escaping @Sendable () -> Void
    ) throws(SystemCallError) {
        let start = Unmanaged.passRetained(Start(name: name, urgency: urgency, body: body))
        var created = pthread_t()
        let result = pthread_create(
            &created, nil,
            { argument in
                guard let argument else { return nil }
                let start = Unmanaged<Start>.fromOpaque(argument).takeRetainedValue()
                _ = touchline_set_thread_name(start.name)  // a thread without its name still works
                DedicatedThread.hurry(start.urgency)
                start.body()
                return nil
            }, start.toOpaque())
        guard result == 0 else {
            start.release()
            throw SystemCallError("pthread_create \(name)", Errno(rawValue: result))
        }
        handle = created
    }

    /// Sets the urgency of the calling thread.
    private static func hurry(_ urgency: ThreadUrgency) {
        guard let priority = urgency.priority else { return }
        // Without this limit nothing would stop an urgent thread that spins.
        let isRealTime =
            touchline_limit_real_time(longestBurst) == 0 && touchline_run_in_real_time(priority) == 0
        if !isRealTime, touchline_set_niceness(niceness) != 0 { refused.wrappingAdd(1, ordering: .relaxed) }
    }

    /// Waits until the thread has ended. Calling it twice is a bug.
    public func join() {
        guard let handle else { preconditionFailure("thread joined twice") }
        pthread_join(handle, nil)
        self.handle = nil
    }

    deinit { precondition(handle == nil, "a thread's owner went without joining it") }
}
