// SPDX-License-Identifier: Apache-2.0
import CSystemShims
import Glibc

/// A thread for one job: receive, decode, render, sound. Joined by its owner before what it uses goes.
public final class DedicatedThread: @unchecked Sendable {
    // Sendable: `handle` is written once in `init` and given up in `join`, which only the owner calls.
    private var handle: pthread_t?

    private final class Start {
        let name: String
        let body: @Sendable () -> Void
        init(name: String, body: @escaping @Sendable () -> Void) {
            self.name = name
            self.body = body
        }
    }

    /// - Parameters:
    ///   - name: at most 15 octets; shown by `ps -L` and by the journal.
    ///   - body: runs once on the new thread.
    public init(_ name: String, _ body: @escaping @Sendable () -> Void) throws(SystemCallError) {
        let start = Unmanaged.passRetained(Start(name: name, body: body))
        var created = pthread_t()
        let result = pthread_create(
            &created, nil,
            { argument in
                guard let argument else { return nil }
                let start = Unmanaged<Start>.fromOpaque(argument).takeRetainedValue()
                _ = touchline_set_thread_name(start.name)  // a thread without its name still works
                start.body()
                return nil
            }, start.toOpaque())
        guard result == 0 else {
            start.release()
            throw SystemCallError("pthread_create \(name)", Errno(rawValue: result))
        }
        handle = created
    }

    /// Waits for the end of the thread. Calling it twice is a bug.
    public func join() {
        guard let handle else { preconditionFailure("thread joined twice") }
        pthread_join(handle, nil)
        self.handle = nil
    }

    deinit { precondition(handle == nil, "a thread's owner went without joining it") }
}
