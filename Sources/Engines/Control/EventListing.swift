// SPDX-License-Identifier: Apache-2.0
import JSON
import Venue

/// The events of a log after a sequence number, as the command `events` answers them.
public struct EventListing: Sendable {
    private let events: [Event]
    private let dropped: UInt64
    private let next: UInt64

    init(of log: EventLog, after sequence: UInt64) {
        (dropped, events) = log.events(after: sequence)
        next = log.lastSequence + 1
    }

    public var json: JSONValue {
        [
            "events": .array(events.map(\.json)), "dropped": .integer(Int64(clamping: dropped)),
            "next": .integer(Int64(clamping: next)),
        ]
    }
}
