// SPDX-License-Identifier: Apache-2.0
import Time
import Timelines

/// What `SimulatedStream` saw of the clock's error and movement.
struct Course {
    private(set) var worst = Nanoseconds.zero
    private var before: (offset: Nanoseconds, arrival: Monotonic)?
    /// It moved by more than 0.5 % of the time between two arrivals.
    private(set) var isTooFast = false

    mutating func observe(_ stream: inout SimulatedStream) {
        worst = max(worst, stream.error?.magnitude ?? .seconds(1_000))
        guard let offset = stream.clock.correlation?.offset else { return }
        if let before {
            let moved = (offset - before.offset).magnitude
            let elapsed = max(.zero, stream.lastArrival - before.arrival)
            if moved > elapsed / 200 + Nanoseconds(1) { isTooFast = true }
            self.before = (offset, max(before.arrival, stream.lastArrival))
        } else {
            before = (offset, stream.lastArrival)
        }
    }
}
