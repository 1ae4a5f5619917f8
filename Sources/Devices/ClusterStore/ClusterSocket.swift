// SPDX-License-Identifier: Apache-2.0
import Glibc
import System
import Time

enum ClusterSocket {
    /// Waits until there is something to read, or, if asked for, room to write.
    /// - Returns: false when the deadline is reached.
    static func wait(_ descriptor: CInt, forRoom: Bool, until deadline: Monotonic) -> Bool {
        while true {
            let rest = deadline - SystemClock.monotonic()
            guard rest > .zero else { return false }
            var polled = pollfd(fd: descriptor, events: Int16(forRoom ? POLLIN | POLLOUT : POLLIN), revents: 0)
            // A signal ends the wait early.
            if poll(&polled, 1, CInt(clamping: (rest.count + 999_999) / 1_000_000)) > 0 { return true }
        }
    }
}
