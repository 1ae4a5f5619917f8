// SPDX-License-Identifier: Apache-2.0
import Buffers
import System
import Time

/// A short rest between two looks at another thread's state.
struct EventPause {
    private let wakeup = Wakeup()

    func wait() { wakeup.wait(until: SystemClock.monotonic() + .milliseconds(50)) }
}
