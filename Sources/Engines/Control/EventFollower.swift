// SPDX-License-Identifier: Apache-2.0
import ControlMessages
import JSON
import Venue

/// One reader's position in the stream of events. It gives each event once, in order, and reports the events that the
/// log has dropped at their place. The control socket and WebSockets use it.
public struct EventFollower: Sendable {
    public enum Step: Equatable, Sendable {
        case event(Event)
        /// The number of events that were lost at this place.
        case dropped(UInt64)
    }

    private var first: ArraySlice<Event>
    private var sequence: UInt64

    /// - Parameter since: the sequence number after which the reader begins; nil begins with the log's snapshot.
    public init(since: UInt64?, of log: EventLog) {
        if let since {
            first = []
            // A number beyond the last comes from an earlier run of the box: sequence numbers start at 1 again.
            sequence = min(since, log.lastSequence)
        } else {
            first = log.snapshot[...]
            sequence = log.lastSequence
        }
    }

    /// nil until the log has more.
    public mutating func next(of log: EventLog) -> Step? {
        if let event = first.popFirst() { return .event(event) }
        let (dropped, events) = log.events(after: sequence, atMost: 1)
        if dropped > 0 {
            sequence += dropped
            return .dropped(dropped)
        }
        guard let event = events.first else { return nil }
        sequence = event.sequence
        return .event(event)
    }
}

extension EventFollower.Step {
    var reply: ControlReply {
        switch self {
        case .event(let event): .event(event.json)
        case .dropped(let count): .dropped(count)
        }
    }

    /// The message of a WebSocket: `{"event":{…}}` or `{"dropped":7}`.
    public var message: [UInt8] { reply.json.octets() }
}
