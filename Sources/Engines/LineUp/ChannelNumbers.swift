// SPDX-License-Identifier: Apache-2.0
import Venue

/// Assigns logical numbers to channels; no number is given twice.
///
/// A number goes to the best claim on it, whichever channel was heard first, so that the boxes of a venue agree. A
/// channel that loses, or claims none, gets a substitute: the lowest free number from 900 on. It keeps that as long as
/// it exists, even when the winner goes: a conflict is decided once, until settings change.
struct ChannelNumbers {
    static let firstSubstitute = 900

    private struct Record {
        var claim: NumberClaim?
        var number: Int
        var hasClaimed: Bool
    }

    private var records: [Channel.ID: Record] = [:]
    private var holders: [Int: Channel.ID] = [:]
    /// All numbers from `firstSubstitute` up to this one are taken.
    private var lowestFree = firstSubstitute

    init() {}

    /// Assigns the numbers of all channels in linear time.
    /// - Parameter old: the assignment before. Its substitutes are kept where nobody claims them.
    init(_ channels: [(id: Channel.ID, claim: NumberClaim?)], keeping old: ChannelNumbers) {
        var best: [Int: NumberClaim] = [:]
        for claim in channels.compactMap(\.claim) where best[claim.number].map({ claim < $0 }) ?? true {
            best[claim.number] = claim
        }
        for claim in best.values { record(claim.id, claim, claim.number, hasClaimed: true) }
        let losers = channels.filter { records[$0.id] == nil }
        for (id, claim) in losers {
            guard let kept = old.records[id], !kept.hasClaimed, holders[kept.number] == nil else { continue }
            record(id, claim, kept.number, hasClaimed: false)
        }
        for (id, claim) in losers where records[id] == nil { substitute(id, claim) }
    }

    subscript(id: Channel.ID) -> Int? { records[id]?.number }

    /// - Parameter id: a channel that has no number yet.
    /// - Returns: the channel that lost its number to this one; nil when none did.
    mutating func insert(_ id: Channel.ID, claim: NumberClaim?) -> Channel.ID? {
        guard let claim else {
            substitute(id, nil)
            return nil
        }
        guard let holder = holders[claim.number] else {
            record(id, claim, claim.number, hasClaimed: true)
            return nil
        }
        guard let held = records[holder], !held.hasClaimed || held.claim.map({ claim < $0 }) ?? true else {
            substitute(id, claim)
            return nil
        }
        record(id, claim, claim.number, hasClaimed: true)
        substitute(holder, held.claim)
        return holder
    }

    /// Changes a channel's claim. With an equal claim the channel keeps its number, whether it had claimed that one or
    /// not.
    /// - Returns: the channel that lost its number to this one; nil when none did.
    mutating func change(_ id: Channel.ID, claim: NumberClaim?) -> Channel.ID? {
        guard let old = records[id], old.claim != claim else { return nil }
        let isWon = claim.map { claim in
            guard let holder = holders[claim.number], holder != id, let held = records[holder] else { return true }
            return !held.hasClaimed || held.claim.map { claim < $0 } ?? true
        }
        if isWon != true, !old.hasClaimed {
            records[id]?.claim = claim
            return nil
        }
        remove(id)
        return insert(id, claim: claim)
    }

    mutating func remove(_ id: Channel.ID) {
        guard let record = records.removeValue(forKey: id) else { return }
        holders[record.number] = nil
        if record.number >= Self.firstSubstitute { lowestFree = min(lowestFree, record.number) }
    }

    private mutating func substitute(_ id: Channel.ID, _ claim: NumberClaim?) {
        while holders[lowestFree] != nil { lowestFree += 1 }
        record(id, claim, lowestFree, hasClaimed: false)
    }

    private mutating func record(_ id: Channel.ID, _ claim: NumberClaim?, _ number: Int, hasClaimed: Bool) {
        records[id] = Record(claim: claim, number: number, hasClaimed: hasClaimed)
        holders[number] = id
    }
}
