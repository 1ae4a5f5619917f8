// SPDX-License-Identifier: Apache-2.0
import Time
import Venue

/// Senders whose announcements settings refuse. They are shown as streamers that are not allowed; their announcements
/// are not parsed (SVM-27).
struct RefusedSenders {
    private struct Record {
        var streamer: Streamer
        var rhythm: AnnouncementRhythm
    }

    private var records: [NumericAddress: Record] = [:]
    private let limit: Int

    init(limit: Int) { self.limit = limit }

    var streamers: [Streamer] { records.values.map(\.streamer) }

    mutating func heard(_ sender: NumericAddress, at now: Monotonic) -> LineUpChange? {
        if records[sender] != nil {
            records[sender]?.rhythm.heard(at: now)
            records[sender]?.streamer.lastHeard = now
            return nil
        }
        guard records.count < limit else { return nil }
        let streamer = Streamer(
            id: Streamer.ID("sap:\(sender)"), name: sender.description, address: sender.description, version: nil,
            firstHeard: now, lastHeard: now, channelCount: 0, isAllowed: false)
        records[sender] = Record(streamer: streamer, rhythm: AnnouncementRhythm(firstHeard: now))
        return .streamerAdded(streamer)
    }

    mutating func prune(at now: Monotonic, by settings: LineUpSettings) -> [LineUpChange] {
        remove { _, record in
            now - record.rhythm.lastHeard >= settings.patience(record.rhythm.interval(announced: nil))
        }
    }

    mutating func settingsChanged(_ settings: LineUpSettings) -> [LineUpChange] {
        remove { sender, _ in settings.allows(sender) }
    }

    private mutating func remove(where isGone: (NumericAddress, Record) -> Bool) -> [LineUpChange] {
        let gone = records.filter { isGone($0.key, $0.value) }
        for sender in gone.keys { records[sender] = nil }
        return gone.values.map(\.streamer).sorted { $0.id.text < $1.id.text }.map { .streamerRemoved($0) }
    }
}
