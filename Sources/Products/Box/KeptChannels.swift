// SPDX-License-Identifier: Apache-2.0
import Reception
import Time
import Venue

/// Channels that were left and are still received: whoever plays one again finds its history. One for a region at most.
struct KeptChannels {
    private struct Kept {
        let channel: Channel
        let receiver: ChannelReceiver
        let region: String
        let until: Monotonic
    }

    /// The one that was left first comes first.
    private var all: [Kept] = []
    private let leave: (ChannelReceiver) -> Void

    /// - Parameter leave: ends a receiver that is kept no longer.
    init(leave: @escaping (ChannelReceiver) -> Void) { self.leave = leave }

    var receptions: [(channel: Channel, receiver: ChannelReceiver)] { all.map { ($0.channel, $0.receiver) } }

    /// - Parameter limit: of all; those that were left first go.
    mutating func keep(
        _ channel: Channel, _ receiver: ChannelReceiver, of region: String, until: Monotonic, atMost limit: Int
    ) {
        drop(in: region)
        all.append(Kept(channel: channel, receiver: receiver, region: region, until: until))
        let count = all.count
        remove { index, _ in index < count - limit }
    }

    /// - Returns: nil when it is not there, or is received in another way. The caller has to stop it.
    mutating func take(_ channel: Channel) -> ChannelReceiver? {
        let same = all.firstIndex { $0.channel.id == channel.id && $0.channel.transport == channel.transport }
        return same.map { all.remove(at: $0).receiver }
    }

    /// Another is played there.
    mutating func drop(in region: String) { remove { _, kept in kept.region == region } }

    mutating func expire(at now: Monotonic) { remove { _, kept in kept.until <= now } }

    mutating func dropAll() { remove { _, _ in true } }

    private mutating func remove(_ isGone: (Int, Kept) -> Bool) {
        guard !all.isEmpty else { return }
        var left: [Kept] = []
        for (index, kept) in all.enumerated() {
            if isGone(index, kept) { leave(kept.receiver) } else { left.append(kept) }
        }
        all = left
    }
}
