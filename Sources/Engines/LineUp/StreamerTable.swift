// SPDX-License-Identifier: Apache-2.0
import Time
import Venue

/// The streamers (head-ends) of the sessions. A streamer is known as long as it has a session, listed or not.
struct StreamerTable {
    private struct Record {
        var streamer: Streamer
        /// The only sender whose announcements are accepted for this streamer.
        var owner: NumericAddress
        var sessionCount = 0
    }

    private var records: [Streamer.ID: Record] = [:]

    var count: Int { records.count }
    var streamers: [Streamer] { records.values.map(\.streamer) }

    func owner(of id: Streamer.ID) -> NumericAddress? { records[id]?.owner }
    func lastHeard(_ id: Streamer.ID) -> Monotonic? { records[id]?.streamer.lastHeard }

    /// The entry for a sender of this offer. Of a head-end that another one stands in for, each has an entry of its own;
    /// the first has the id itself.
    func entry(of offer: ChannelOffer, by sender: NumericAddress) -> Streamer.ID {
        guard let owner = owner(of: offer.streamer), owner != sender else { return offer.streamer }
        return Streamer.ID("\(offer.streamer)@\(sender)")  // no announced id has this letter
    }

    /// - Parameter id: the entry.
    /// - Returns: a change if the streamer is new, or has another name, version or address.
    mutating func announced(
        _ offer: ChannelOffer, as id: Streamer.ID, by sender: NumericAddress, at now: Monotonic
    ) -> LineUpChange? {
        guard var streamer = records[id]?.streamer else {
            let streamer = Streamer(
                id: id, name: offer.streamerName, address: sender.description, version: offer.version,
                firstHeard: now, lastHeard: now, channelCount: 0, isAllowed: true)
            records[id] = Record(streamer: streamer, owner: sender)
            return .streamerAdded(streamer)
        }
        let isChanged =
            streamer.name != offer.streamerName || streamer.version != offer.version
            || streamer.address != sender.description
        streamer.name = offer.streamerName
        streamer.version = offer.version
        streamer.address = sender.description
        streamer.lastHeard = max(streamer.lastHeard, now)
        records[id]?.streamer = streamer
        records[id]?.owner = sender
        return isChanged ? .streamerChanged(streamer) : nil
    }

    mutating func heard(_ id: Streamer.ID, at now: Monotonic) {
        records[id]?.streamer.lastHeard = now  // the caller's time does not go back
    }

    mutating func sessionAdded(to id: Streamer.ID) { records[id]?.sessionCount += 1 }

    /// - Returns: the streamer's removal if that was its last session.
    mutating func sessionRemoved(from id: Streamer.ID) -> LineUpChange? {
        guard let record = records[id] else { return nil }
        guard record.sessionCount > 1 else {
            records[id] = nil
            return .streamerRemoved(record.streamer)
        }
        records[id]?.sessionCount -= 1
        return nil
    }

    mutating func channelListed(of id: Streamer.ID) { records[id]?.streamer.channelCount += 1 }
    mutating func channelRemoved(of id: Streamer.ID) { records[id]?.streamer.channelCount -= 1 }
}
