// SPDX-License-Identifier: Apache-2.0

/// A limit on how often something may happen: so many times at once, and then so many times a second.
public struct RateLimit: Equatable, Sendable {
    public let atOnce: Int
    public let perSecond: Int

    /// - Parameters:
    ///   - atOnce: at least 1.
    ///   - perSecond: 1...1 000 000.
    public init(atOnce: Int, perSecond: Int) {
        precondition(atOnce >= 1 && (1...1_000_000).contains(perSecond))
        self.atOnce = atOnce
        self.perSecond = perSecond
    }

    fileprivate var interval: Nanoseconds { .seconds(1) / Int64(perSecond) }
}

/// How much of a rate limit is used up: the generic cell rate algorithm of ITU-T I.371.
public struct RateMeter: Sendable {
    /// When nothing will be used up any more; nil if nothing was ever used.
    private var due: Monotonic?

    public init() {}

    /// Whether it may happen once more.
    /// - Parameter reserve: number of times that are held back.
    public func admits(_ limit: RateLimit, reserve: Int = 0, at now: Monotonic) -> Bool {
        guard let due else { return limit.atOnce > reserve }
        return due - now <= limit.interval * Int64(limit.atOnce - reserve - 1)
    }

    public mutating func count(_ limit: RateLimit, at now: Monotonic) { due = max(due ?? now, now) + limit.interval }

    public func isUnused(at now: Monotonic) -> Bool { due.map { $0 <= now } ?? true }
}
