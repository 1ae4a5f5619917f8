// SPDX-License-Identifier: Apache-2.0
import Time

/// When a better candidate than the mode that is shown is tried again.
struct UpgradeTimer: Sendable {
    /// The time before the first try; doubled each time, up to the longest.
    static let interval = Nanoseconds.seconds(30)
    static let longestInterval = Nanoseconds.seconds(900)

    /// Nil if the best candidate is shown, or others are being tried.
    private(set) var next: Monotonic?
    private var interval = interval

    /// Waits for the next try.
    mutating func schedule(_ now: Monotonic) {
        next = now + interval
        interval = min(interval * 2, Self.longestInterval)
    }

    mutating func cancel() { next = nil }

    /// The best candidate is shown.
    mutating func reset() { self = UpgradeTimer() }
}
