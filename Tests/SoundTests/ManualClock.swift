// SPDX-License-Identifier: Apache-2.0
import Synchronization
import Time

@testable import Sound

/// Time passes when somebody sleeps.
final class ManualClock: PacingClock {
    private let instant = Mutex(Monotonic(nanoseconds: 1_000_000_000))

    func now() -> Monotonic { instant.withLock { $0 } }

    func sleep(until deadline: Monotonic) { instant.withLock { $0 = max($0, deadline) } }

    func pass(_ span: Nanoseconds) { instant.withLock { $0 += span } }
}
