// SPDX-License-Identifier: Apache-2.0
import CSystemShims
import Glibc

/// Tells the service manager how we are (`sd_notify`); does nothing when none listens.
public struct NotifySocket: ~Copyable, Sendable {
    private let descriptor: CInt?

    public init() {
        guard let path = getenv("NOTIFY_SOCKET") else {
            descriptor = nil
            return
        }
        let opened = touchline_unix_datagram(path)
        descriptor = opened >= 0 ? opened : nil
    }

    deinit { if let descriptor { close(descriptor) } }

    /// - Parameter state: `READY=1`, `WATCHDOG=1`, `STOPPING=1`, `STATUS=…`.
    public func notify(_ state: String) {
        guard let descriptor else { return }
        // A manager that is gone or busy has nothing that we could do about it.
        _ = state.withCString { touchline_send_text(descriptor, $0) }
    }
}
