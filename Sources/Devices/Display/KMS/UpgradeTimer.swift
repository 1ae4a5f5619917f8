// SPDX-License-Identifier: Apache-2.0
import Time

/// Decides when a better candidate than the current mode is tried again.
struct UpgradeTimer: Sendable {
    /// Time before the first try. It is doubled after each try, up to `longestInterval`.
    static let interval = Nanoseconds.seconds(30)
    static let longestInterval = Nanoseconds.seconds(900)

    /// nil if the best candidate is shown, or candidates are being tried.
    private(set) var next: Monotonic?
    private var interval = interval

    /// Schedules the next try.
    mutating func schedule(_ now: Monotonic) {
        next = now + interval
        interval = min(interval * 2, Self.longestInterval)
    }

    mutating func cancel() { next = nil }

    /// The best candidate is shown.
    mutating func reset() { self = UpgradeTimer() }
}
