// SPDX-License-Identifier: Apache-2.0
import Venue

/// The list: its entries with their numbers, and how settings arrange them. The cost of a change does not grow with the
/// list; whoever wants it in order has it sorted.
struct ChannelList {
    private(set) var entries: [Channel.ID: ListedChannel] = [:]
    private(set) var arrangement = ChannelArrangement()
    private var numbers = ChannelNumbers()

    /// Sorted by session number, name and id.
    var channels: [Channel] { entries.values.compactMap(\.channel).sorted(by: Channel.precedes) }

    /// Sorted in the order of the settings.
    var sorted: [ListedChannel] { arrangement.sorted(entries.values) }

    /// - Parameter channel: a channel that is not listed yet.
    mutating func insert(_ channel: Channel) -> [LineUpChange] {
        var entry = arrangement.listed(channel)
        let loser = numbers.insert(entry.id, claim: arrangement.claim(of: entry))
        entry.number = numbers[entry.id] ?? 0
        entries[entry.id] = entry
        return renumbered(loser) + [.channelAdded(entry)]
    }

    /// - Parameter channel: the new form of a channel that is listed.
    mutating func replace(_ channel: Channel) -> [LineUpChange] {
        guard let old = entries[channel.id] else { return [] }
        var entry = arrangement.listed(channel)
        let loser = numbers.change(entry.id, claim: arrangement.claim(of: entry))
        entry.number = numbers[entry.id] ?? 0
        entries[entry.id] = entry
        return renumbered(loser) + (entry == old ? [] : [.channelChanged(entry, was: old)])
    }

    /// - Returns: the removed entry; nil when the channel was not listed.
    mutating func remove(_ id: Channel.ID) -> ListedChannel? {
        guard let entry = entries.removeValue(forKey: id) else { return nil }
        numbers.remove(id)
        return entry
    }

    /// Lists these channels and playlists and no others, under new settings.
    /// - Parameter channels: of two with one id the first counts.
    mutating func arrange(
        _ channels: [Channel], playlists: [String], by arrangement: ChannelArrangement
    ) -> [LineUpChange] {
        let before = entries
        self.arrangement = arrangement
        var seen: Set<Channel.ID> = []
        var new = channels.filter { seen.insert($0.id).inserted }.sorted(by: Channel.precedes).map(arrangement.listed)
        new += playlists.map { arrangement.listed(playlist: $0) }
        numbers = ChannelNumbers(new.map { ($0.id, arrangement.claim(of: $0)) }, keeping: numbers)
        for index in new.indices { new[index].number = numbers[new[index].id] ?? 0 }
        entries = Dictionary(new.map { ($0.id, $0) }) { first, _ in first }

        let gone = before.values.filter { entries[$0.id] == nil }.sorted(by: Self.precedes)
        return gone.map { .channelRemoved($0, .revoked) }
            + new.compactMap { entry in
                guard let was = before[entry.id] else { return .channelAdded(entry) }
                return was == entry ? nil : .channelChanged(entry, was: was)
            }
    }

    static func precedes(_ left: ListedChannel, _ right: ListedChannel) -> Bool {
        switch (left.channel, right.channel) {
        case (let left?, let right?): Channel.precedes(left, right)
        case (nil, nil): left.id.text < right.id.text
        case (_, let right): right == nil
        }
    }

    /// The change of the channel that lost its number. It goes before the winner's, so that observers never see a
    /// number twice.
    private mutating func renumbered(_ id: Channel.ID?) -> [LineUpChange] {
        guard let id, let was = entries[id], let number = numbers[id] else { return [] }
        entries[id]?.number = number
        var entry = was
        entry.number = number
        return [.channelChanged(entry, was: was)]
    }
}
