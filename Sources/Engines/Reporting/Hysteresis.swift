// SPDX-License-Identifier: Apache-2.0
import Time

/// A condition that is believed once it has held for a while, and given up once it has been gone for a while.
struct Hysteresis {
    var raiseAfter: Nanoseconds
    var clearAfter: Nanoseconds
    private(set) var isRaised = false
    private var changingSince: Monotonic?

    init(raiseAfter: Nanoseconds, clearAfter: Nanoseconds) {
        self.raiseAfter = raiseAfter
        self.clearAfter = clearAfter
    }

    /// - Returns: whether the condition is believed now.
    mutating func observe(_ condition: Bool, at now: Monotonic) -> Bool {
        guard condition != isRaised else {
            changingSince = nil
            return isRaised
        }
        let since = changingSince ?? now
        changingSince = since
        if now - since >= (condition ? raiseAfter : clearAfter) {
            isRaised = condition
            changingSince = nil
        }
        return isRaised
    }
}
