// SPDX-License-Identifier: Apache-2.0
import Time

/// Whether the clock of a leader is broken, as far as its requester saw: it steps about, or says what cannot be.
///
/// A pure value, of one requester.
public struct ClockDoubt: Sendable {
    /// Steps of a clock are forgiven: a machine may have slept. So many within `window` are not.
    static let steps = 3
    static let window = Nanoseconds.seconds(60)
    /// Exchanges that cannot be, if there was no other.
    static let impossible: UInt64 = 12

    private var seen: UInt64 = 0
    private var stepped: [Monotonic] = []

    public init() {}

    /// - Returns: whether the clock is broken.
    public mutating func isBroken(by counters: WallClockRequesterCounters, at now: Monotonic) -> Bool {
        let new = counters.serverSteps >= seen ? counters.serverSteps - seen : counters.serverSteps
        seen = counters.serverSteps
        stepped = stepped.filter { now < $0 + Self.window } + Array(repeating: now, count: Int(min(new, 16)))
        if stepped.count >= Self.steps { return true }
        return counters.candidatesAccepted == 0 && counters.candidatesRefused >= Self.impossible
    }
}
