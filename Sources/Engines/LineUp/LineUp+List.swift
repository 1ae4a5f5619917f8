// SPDX-License-Identifier: Apache-2.0
import Venue

/// The list as viewers see it: channels of announcements and settings, and playlists, in one order.
extension LineUp {
    public enum Direction: Sendable { case up, down }

    /// All entries, hidden ones too, in the order of the settings.
    public var listed: [ListedChannel] { guide.sorted }

    /// The entries of a kind, likewise.
    public func listed(_ kind: Channel.Kind) -> [ListedChannel] {
        guide.arrangement.sorted(guide.entries.values.filter { $0.kind == kind })
    }

    public subscript(id: Channel.ID) -> ListedChannel? { guide.entries[id] }

    /// The number of channels, without playlists.
    public var channelCount: Int { guide.entries.values.count { $0.channel != nil } }

    /// Whether a channel with a licence of this venue is listed.
    public func hasChannel(ofVenue name: String) -> Bool {
        guide.entries.values.contains { $0.channel?.fieldOfUse?.venueName == name }
    }

    /// The first channel with this name. A name of the list goes before a channel's own name.
    private func entry(named name: String) -> ListedChannel? {
        func first(_ isWanted: (ListedChannel) -> Bool) -> ListedChannel? {
            guide.entries.values.filter { $0.channel != nil && isWanted($0) }.min(by: ChannelList.precedes)
        }
        return first { $0.name == name } ?? first { $0.ownName == name }
    }

    /// - Parameter text: a channel's name; failing that an id, a playlist's name, or a number.
    public func entry(matching text: String) -> ListedChannel? {
        if let entry = entry(named: text) { return entry }
        if let entry = guide.entries[Channel.ID(text)] ?? guide.entries[.playlist(text)] { return entry }
        let values = guide.entries.values
        if let entry = values.first(where: { $0.channel == nil && $0.name == text }) { return entry }
        return Int(text).flatMap { number in values.first { $0.number == number } }
    }

    /// The next entry that is shown and can be watched; the end is followed by the beginning.
    /// - Parameter id: the entry from which to go; nil, or an id that is gone, to begin at the first or last entry.
    public func neighbour(of id: Channel.ID?, _ direction: Direction) -> ListedChannel? {
        let all = direction == .up ? listed : listed.reversed()
        let start = all.firstIndex { $0.id == id }.map { $0 + 1 } ?? 0
        return (all[start...] + all[..<start]).first { !$0.isHidden && $0.kind == .video }
    }

    /// Names in the settings section `lineUp` that no entry has so far. Sorted.
    public var unknownNames: [String] { guide.arrangement.unknownNames(beside: guide.entries.values) }
}
