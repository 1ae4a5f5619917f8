// SPDX-License-Identifier: Apache-2.0
import ControlMessages
import JSON
import Venue

/// How far one reader has come in the events: each is given once, in order, and what the log lost meanwhile is told at
/// its place. For the control socket and for WebSockets.
public struct EventFollower: Sendable {
    public enum Step: Equatable, Sendable {
        case event(Event)
        /// So many were lost here.
        case dropped(UInt64)
    }

    private var first: ArraySlice<Event>
    private var sequence: UInt64

    /// - Parameter since: nil: from the log's snapshot on.
    public init(since: UInt64?, of log: EventLog) {
        if let since {
            first = []
            // From another run of the box: sequences start at 1 again.
            sequence = min(since, log.lastSequence)
        } else {
            first = log.snapshot[...]
            sequence = log.lastSequence
        }
    }

    /// Nil until the log has more.
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

    /// `{"event":{…}}` or `{"dropped":7}`: a message of a WebSocket.
    public var message: [UInt8] { reply.json.octets() }
}
