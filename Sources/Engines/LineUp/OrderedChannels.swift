// SPDX-License-Identifier: Apache-2.0
import Venue

/// Channels sorted by session number, name and id: an order that does not depend on which was heard first.
struct OrderedChannels {
    private(set) var channels: [Channel]

    init(_ channels: [Channel] = []) { self.channels = channels.sorted(by: Self.precedes) }

    mutating func insert(_ channel: Channel) {
        channels.insert(channel, at: place(of: channel))
    }

    /// - Parameter channel: exactly as it was inserted.
    mutating func remove(_ channel: Channel) {
        let index = place(of: channel)
        guard index < channels.count, channels[index].id == channel.id else { return }
        channels.remove(at: index)
    }

    /// Index of the first channel that does not precede `channel`.
    private func place(of channel: Channel) -> Int {
        var range = 0..<channels.count
        while !range.isEmpty {
            let middle = range.lowerBound + range.count / 2
            let isBefore = Self.precedes(channels[middle], channel)
            range = isBefore ? (middle + 1)..<range.upperBound : range.lowerBound..<middle
        }
        return range.lowerBound
    }

    static func precedes(_ left: Channel, _ right: Channel) -> Bool {
        (left.sessionNumber, left.name, left.id.text) < (right.sessionNumber, right.name, right.id.text)
    }
}
