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

    /// Whether it continues after the place that was asked for: then nothing is lost but what it says. If not, it begins
    /// with the snapshot.
    public let resumes: Bool

    public init(_ place: EventPlace, of log: EventLog) {
        if let since = place.sequence(in: log), since <= log.lastSequence {
            first = []
            sequence = since
            resumes = true
        } else {
            first = log.snapshot[...]
            sequence = log.lastSequence
            resumes = false
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
