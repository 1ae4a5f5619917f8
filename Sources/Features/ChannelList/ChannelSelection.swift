// SPDX-License-Identifier: Apache-2.0
import Venue

/// Which channel of a list is selected. The selection is that of a channel, not of a place: it stays where others come and
/// go, and goes to what is in its place if it goes itself.
struct ChannelSelection: Equatable, Sendable {
    enum Move: String, Sendable, CaseIterable {
        case up, down
        case pageUp = "page-up"
        case pageDown = "page-down"
        case first, last
    }

    /// Rows from one page to the next.
    static let page = 10

    private(set) var channels: [Channel.ID]
    private(set) var index: Int

    /// - Parameter channel: selected at first, if it is there; else the first one is.
    init(_ channels: [Channel.ID], at channel: Channel.ID?) {
        self.channels = channels
        index = channel.flatMap { channels.firstIndex(of: $0) } ?? 0
    }

    /// nil if the list is empty.
    var selected: Channel.ID? { channels.indices.contains(index) ? channels[index] : nil }

    /// One step goes round; pages end at the ends.
    mutating func move(_ move: Move) {
        guard !channels.isEmpty else { return }
        let count = channels.count
        switch move {
        case .up: index = (index + count - 1) % count
        case .down: index = (index + 1) % count
        case .pageUp: index = max(0, index - Self.page)
        case .pageDown: index = min(count - 1, index + Self.page)
        case .first: index = 0
        case .last: index = count - 1
        }
    }

    mutating func replace(with new: [Channel.ID]) {
        let place = selected.flatMap { new.firstIndex(of: $0) } ?? min(index, max(0, new.count - 1))
        (channels, index) = (new, place)
    }
}
