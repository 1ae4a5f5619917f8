// SPDX-License-Identifier: Apache-2.0
import CSystemShims
import Glibc

/// Reports this service's state to the service manager (`sd_notify`); does nothing if none listens.
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
        // If the service manager is gone or busy, there is nothing that we could do about it.
        _ = state.withCString { touchline_send_text(descriptor, $0) }
    }
}
