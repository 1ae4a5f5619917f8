// SPDX-License-Identifier: Apache-2.0
import Time

/// How many signatures are checked, so that a flood of forged commands costs little. A source that has given a genuine
/// command has a share of its own, which no other source uses up; all others share one.
///
/// What is not prevented: who can send in the name of such a source uses up its share.
struct SignatureBudget: Sendable {
    /// Of each source. A genuine sender needs one check for each command, as copies are known by their octets.
    static let each = RateLimit(atOnce: 32, perSecond: 16)
    /// Of all sources together that have given no genuine command.
    static let strangers = RateLimit(atOnce: 128, perSecond: 64)
    /// Sources that have a share of their own. Of more the one that was genuine longest ago gives way.
    static let mostKnown = 16
    private static let mostStrangers = 64

    private var known: [(source: String, meter: RateMeter)] = []
    private var others: [String: RateMeter] = [:]
    private var together = RateMeter()

    /// Counts a check if there may be one.
    mutating func spend(on source: String, at now: Monotonic) -> Bool {
        if let place = known.firstIndex(where: { $0.source == source }) {
            return Self.spend(&known[place].meter, Self.each, now)
        }
        if others[source] == nil, others.count >= Self.mostStrangers {
            others = others.filter { !$0.value.isUnused(at: now) }
            guard others.count < Self.mostStrangers else { return false }
        }
        guard together.admits(Self.strangers, at: now),
            Self.spend(&others[source, default: RateMeter()], Self.each, now)
        else { return false }
        together.count(Self.strangers, at: now)
        return true
    }

    /// The source has given a genuine command.
    mutating func trust(_ source: String) {
        var meter = others.removeValue(forKey: source) ?? RateMeter()
        if let place = known.firstIndex(where: { $0.source == source }) { meter = known.remove(at: place).meter }
        known.append((source: source, meter: meter))
        if known.count > Self.mostKnown { known.removeFirst() }
    }

    private static func spend(_ meter: inout RateMeter, _ limit: RateLimit, _ now: Monotonic) -> Bool {
        guard meter.admits(limit, at: now) else { return false }
        meter.count(limit, at: now)
        return true
    }
}
