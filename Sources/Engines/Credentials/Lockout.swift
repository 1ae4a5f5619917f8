// SPDX-License-Identifier: Apache-2.0
import Time
import Venue

/// Slows down who guesses: after so many wrong tokens a source waits, and when many sources guess, all wait that have never
/// shown a right one. Its memory is bounded.
public struct Lockout: Sendable {
    public struct Limits: Equatable, Sendable {
        /// Wrong tokens of one source until it waits.
        public var tries: Int
        /// How long it waits; twice as long each further time, up to 16 times.
        public var span: Nanoseconds
        /// Wrong tokens of all sources at once; one a second is forgotten.
        public var total: Int

        public init(tries: Int = 20, span: Nanoseconds = .seconds(60), total: Int = 200) {
            self.tries = tries
            self.span = span
            self.total = total
        }
    }

    static let sourceLimit = 256
    static let trustedLimit = 64

    private struct Source {
        var failures = 0
        /// How often it has had to wait.
        var locks = 0
        var last: Monotonic
        var end: Monotonic?

        func isLocked(at now: Monotonic) -> Bool { end.map { now < $0 } ?? false }
    }

    public var limits: Limits
    private var sources: [String: Source] = [:]
    /// Sources that have shown a right token, with when they did so last.
    private var trusted: [String: Monotonic] = [:]
    private var total = RateMeter()

    public init(_ limits: Limits = Limits()) { self.limits = limits }

    private var totalLimit: RateLimit { RateLimit(atOnce: max(1, limits.total), perSecond: 1) }

    /// The number of sources that have to wait.
    public func lockedCount(at now: Monotonic) -> Int { sources.values.count { $0.isLocked(at: now) } }

    /// For how long nothing that the source shows is looked at; nil if it is.
    /// - Parameter source: numeric address; empty for the box's own console.
    public func wait(of source: String, at now: Monotonic) -> Nanoseconds? {
        let key = Self.key(source)
        if let end = sources[key]?.end, now < end { return end - now }
        // Whoever is at the box does not wait because somebody guesses from elsewhere.
        if !key.isEmpty, trusted[key] == nil, !total.admits(totalLimit, at: now) { return .seconds(10) }
        return nil
    }

    /// Counts something wrong.
    /// - Returns: whether the source has to wait from now on.
    public mutating func failed(_ source: String, at now: Monotonic) -> Bool {
        let key = Self.key(source)
        total.count(totalLimit, at: now)
        if sources[key] == nil, sources.count >= Self.sourceLimit, !makeRoom(at: now) { return false }
        var entry = sources[key] ?? Source(last: now)
        // Whoever mistypes now and then never waits.
        if now - entry.last >= limits.span { entry.failures = 0 }
        if now - entry.last >= limits.span * 64 { entry.locks = 0 }
        entry.failures += 1
        entry.last = now
        defer { sources[key] = entry }
        guard entry.failures >= limits.tries else { return false }
        entry.end = now + limits.span * Int64(1 << min(entry.locks, 4))
        entry.locks += 1
        entry.failures = 0
        return true
    }

    public mutating func succeeded(_ source: String, at now: Monotonic) {
        let key = Self.key(source)
        sources[key] = nil
        if trusted[key] == nil, trusted.count >= Self.trustedLimit,
            let oldest = trusted.min(by: { $0.value < $1.value })?.key
        {
            trusted[oldest] = nil
        }
        trusted[key] = now
    }

    /// Forgets the source whose last failure is the oldest. One that waits is not forgotten, or many sources would free each
    /// other.
    private mutating func makeRoom(at now: Monotonic) -> Bool {
        let free = sources.filter { !$0.value.isLocked(at: now) }
        guard let oldest = free.min(by: { $0.value.last < $1.value.last })?.key else { return false }
        sources[oldest] = nil
        return true
    }

    /// Somebody with IPv6 has at least a /64 of addresses: these count as one.
    static func key(_ address: String) -> String {
        let numeric = NumericAddress(String(address.prefix { $0 != "%" }))?.unmapped
        guard let numeric, numeric.isIPv6 else { return numeric?.description ?? "" }
        return "\(NumericAddress(v6: numeric.high, 0))/64"
    }
}
