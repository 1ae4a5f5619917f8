// SPDX-License-Identifier: Apache-2.0
import Time
import Venue

/// How many announcements are read, of each sender and of all together. What is repeated unchanged is recognised without
/// being read and costs nothing.
struct ReadingBudget: Sendable {
    private let ofSender: RateLimit
    private let ofAll: RateLimit
    private let mostSenders: Int
    private var senders: [NumericAddress: RateMeter] = [:]
    /// Of the senders for which `senders` has no room; they share one limit.
    private var others = RateMeter()
    private var all = RateMeter()

    init(_ limits: LineUpLimits) {
        (ofSender, ofAll, mostSenders) = (limits.reading, limits.readingOfAll, limits.meteredSenders)
    }

    /// - Parameter isKnown: whether sessions of the sender are remembered. Half of what is read at once of all is kept
    ///   for such senders, because anybody can make up the addresses of others.
    /// - Throws: the reason for which the announcement is not read.
    mutating func take(
        of sender: NumericAddress, isKnown: Bool, at now: Monotonic
    ) throws(LineUpFault.Reason) {
        var meter = senders[sender] ?? (senders.count < mostSenders ? RateMeter() : others)
        guard meter.admits(ofSender, at: now) else { throw .overRate(perSecond: ofSender.perSecond) }
        guard all.admits(ofAll, reserve: isKnown ? 0 : ofAll.atOnce / 2, at: now) else {
            throw .overTotalRate(perSecond: ofAll.perSecond)
        }
        meter.count(ofSender, at: now)
        all.count(ofAll, at: now)
        if senders[sender] != nil || senders.count < mostSenders { senders[sender] = meter } else { others = meter }
    }

    /// Forgets the senders that have used up nothing. To be called once a second.
    mutating func prune(at now: Monotonic) { senders = senders.filter { !$0.value.isUnused(at: now) } }
}
