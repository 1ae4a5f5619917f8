// SPDX-License-Identifier: Apache-2.0
import Time

/// The plane requests that a card has refused; they are not repeated for a while.
struct PlaneRefusals {
    /// The time before a refused request is made again.
    static let pause = Nanoseconds.seconds(60)
    /// Limit on the requests that are remembered.
    private static let limit = 16

    /// Why the picture offered last is not shown in the best possible way; nil if it is, or if none is offered.
    private(set) var reason: String?
    private var known: [(request: PlaneRequest, reason: String, until: Monotonic)] = []

    /// Whether the offered picture's request was refused before; `reason` then states why.
    mutating func contains(_ request: PlaneRequest, now: Monotonic) -> Bool {
        known.removeAll { $0.until <= now }
        guard let refused = known.first(where: { $0.request == request }) else { return false }
        reason = refused.reason
        return true
    }

    mutating func add(_ request: PlaneRequest, _ reason: String, now: Monotonic) {
        self.reason = reason
        known.removeAll { $0.request == request }
        if known.count == Self.limit { known.removeFirst() }
        known.append((request, reason, now + Self.pause))
    }

    mutating func forgetReason() { reason = nil }

    /// Forgets all refusals, because another mode or card may accept the requests.
    mutating func removeAll() { known.removeAll() }
}
