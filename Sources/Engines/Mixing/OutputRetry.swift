// SPDX-License-Identifier: Apache-2.0
import Time

/// Decides when opening an output is tried again after it failed or the output was lost: after 1 s, then 2, 4 and so on
/// up to 10 s, and at once when cards changed. An output that was lost within 10 s of its opening does not reset the
/// wait.
struct OutputRetry {
    private static let first = Nanoseconds.seconds(1)
    private static let longest = Nanoseconds.seconds(10)

    private var next: Monotonic?
    private var wait = Self.first
    private var opened: Monotonic?

    func isDue(at now: Monotonic) -> Bool { next.map { $0 <= now } ?? true }

    mutating func wasOpened(at now: Monotonic) { opened = now }

    /// To be called when the output was lost, or could not be opened.
    mutating func failed(at now: Monotonic) {
        if let opened, now - opened >= Self.longest { wait = Self.first }
        opened = nil
        next = now + wait
        wait = min(wait * 2, Self.longest)
    }

    /// To be called when cards came or went.
    mutating func hinted() {
        next = nil
        wait = Self.first
    }
}
