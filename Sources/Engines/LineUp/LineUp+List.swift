// SPDX-License-Identifier: Apache-2.0
import Venue

/// The list as people see it: channels of announcements and settings, and playlists, one after the other.
extension LineUp {
    public enum Direction: Sendable { case up, down }

    /// All that is listed, hidden or not, in the order of the settings.
    public var listed: [ListedChannel] { guide.sorted }

    public subscript(id: Channel.ID) -> ListedChannel? { guide.entries[id] }

    /// Two channels may have one name: the first of `channels` it is. The name of the list, or else the channel's own.
    private func channel(named name: String) -> Channel? {
        guide.channels.first { $0.name == name }
            ?? guide.channels.first { guide.entries[$0.id]?.ownName == name }
    }

    /// - Parameter text: a channel's name, or else an id, a playlist's name, a number.
    public func entry(matching text: String) -> ListedChannel? {
        if let channel = channel(named: text) { return guide.entries[channel.id] }
        if let entry = guide.entries[Channel.ID(text)] ?? guide.entries[.playlist(text)] { return entry }
        let values = guide.entries.values
        if let entry = values.first(where: { $0.channel == nil && $0.name == text }) { return entry }
        return Int(text).flatMap { number in values.first { $0.number == number } }
    }

    /// The next that is shown and can be watched, over the end to the beginning.
    /// - Parameter id: where to go from; nil, or no longer there: from beyond the ends.
    public func neighbour(of id: Channel.ID?, _ direction: Direction) -> ListedChannel? {
        let all = direction == .up ? listed : listed.reversed()
        let start = all.firstIndex { $0.id == id }.map { $0 + 1 } ?? 0
        return (all[start...] + all[..<start]).first { !$0.isHidden && $0.kind == .video }
    }

    /// What `lineUp` of the settings names and nothing is called so far. Sorted.
    public var unknownNames: [String] { guide.arrangement.unknownNames(beside: guide.entries.values) }
}
