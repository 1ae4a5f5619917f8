// SPDX-License-Identifier: Apache-2.0
import JSON
import Venue

/// The events of a log after a place, as the command `events` answers them. Of another run than the log's, all events of
/// the log come after it.
public struct EventListing: Sendable {
    private let events: [Event]
    private let dropped: UInt64
    private let next: UInt64
    private let run: String

    init(of log: EventLog, after place: EventPlace) {
        (dropped, events) = log.events(after: place.sequence(in: log) ?? 0)
        next = log.lastSequence + 1
        run = log.run
    }

    public var json: JSONValue {
        [
            "events": .array(events.map(\.json)), "dropped": .integer(Int64(clamping: dropped)),
            "next": .integer(Int64(clamping: next)), "run": .string(run),
        ]
    }
}
