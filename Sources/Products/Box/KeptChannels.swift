// SPDX-License-Identifier: Apache-2.0
import Reception
import Time
import Venue

/// Channels that were left and are still received, so that their history is there when they are played again. There is
/// at most one for each region.
struct KeptChannels {
    private struct Kept {
        let channel: Channel
        let receiver: ChannelReceiver
        let region: String
        let until: Monotonic
    }

    /// In the order in which the channels were left.
    private var all: [Kept] = []
    private let leave: (ChannelReceiver) -> Void

    /// - Parameter leave: called to end a receiver that is no longer kept.
    init(leave: @escaping (ChannelReceiver) -> Void) { self.leave = leave }

    var receptions: [(channel: Channel, receiver: ChannelReceiver)] { all.map { ($0.channel, $0.receiver) } }

    /// - Parameter limit: the most channels to keep in all regions. Those that were left first are dropped.
    mutating func keep(
        _ channel: Channel, _ receiver: ChannelReceiver, of region: String, until: Monotonic, atMost limit: Int
    ) {
        drop(in: region)
        all.append(Kept(channel: channel, receiver: receiver, region: region, until: until))
        let count = all.count
        remove { index, _ in index < count - limit }
    }

    /// Octets of their histories, in this order.
    var octets: [Int] { all.map(\.receiver.history.capacity) }

    /// Drops those that were left first.
    /// - Returns: the names of their channels.
    mutating func shed(_ count: Int) -> [String] {
        let names = all.prefix(count).map(\.channel.name)
        remove { index, _ in index < count }
        return names
    }

    /// Drops those that were left first until all channels together have at most so many kbit/s.
    /// - Parameter playing: the channels that play.
    mutating func shed(until limit: Int, beside playing: [Channel]) {
        while !all.isEmpty, Channel.bandwidthKbps(of: playing + all.map(\.channel)) > limit { _ = shed(1) }
    }

    /// - Returns: the receiver, which the caller then has to stop; nil if the channel is not kept or is received with
    ///   another transport.
    mutating func take(_ channel: Channel) -> ChannelReceiver? {
        let same = all.firstIndex { $0.channel.id == channel.id && $0.channel.transport == channel.transport }
        return same.map { all.remove(at: $0).receiver }
    }

    /// Drops the channel that is kept for the region. Called when something else plays there.
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
