// SPDX-License-Identifier: Apache-2.0
import Synchronization
import Time

/// Lets no more pictures through than one who looks has asked for.
/// - Thread: any.
final class PicturePace: Sendable {
    private let period: Nanoseconds
    private let due = Mutex<Monotonic?>(nil)

    /// - Parameter perSecond: at least 1.
    init(perSecond: Int) { period = Nanoseconds.seconds(1) / Int64(perSecond) }

    func takesNext(at now: Monotonic) -> Bool {
        due.withLock { due in
            let wanted = due ?? now
            guard now >= wanted else { return false }
            due = max(wanted + period, now)
            return true
        }
    }
}
