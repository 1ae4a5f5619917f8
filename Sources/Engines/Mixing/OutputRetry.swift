// SPDX-License-Identifier: Apache-2.0
import Time

/// When an output is looked for again after there was none, or it was lost: after 1 s, then 2, 4 and so on to 10; at
/// once when something has changed. What was lost soon after it was found is looked for as what was not found.
struct OutputRetry {
    private static let first = Nanoseconds.seconds(1)
    private static let longest = Nanoseconds.seconds(10)

    private var next: Monotonic?
    private var wait = Self.first
    private var opened: Monotonic?

    func isDue(at now: Monotonic) -> Bool { next.map { $0 <= now } ?? true }

    mutating func wasOpened(at now: Monotonic) { opened = now }

    /// Was lost, or could not be opened.
    mutating func failed(at now: Monotonic) {
        if let opened, now - opened >= Self.longest { wait = Self.first }
        opened = nil
        next = now + wait
        wait = min(wait * 2, Self.longest)
    }

    /// Cards came or went.
    mutating func hinted() {
        next = nil
        wait = Self.first
    }
}
