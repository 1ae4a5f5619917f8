// SPDX-License-Identifier: Apache-2.0
import JSON

/// What a WebSocket follows, and how far it has come.
public struct WebFollower {
    private enum Stream {
        case events(EventFollower)
        case messages(MessageFeed.Follower, of: MessageFeed)
    }

    private var stream: Stream

    public init(_ events: EventFollower) { stream = .events(events) }

    /// From the next message on.
    public init(_ feed: MessageFeed) { stream = .messages(MessageFeed.Follower(feed), of: feed) }

    /// Nil for events.
    public var feed: MessageFeed? {
        if case .messages(_, let feed) = stream { feed } else { nil }
    }

    /// The next message of the WebSocket; nil until there is more.
    /// - Parameter event: how an event becomes one.
    public mutating func next(of log: EventLog, _ event: (EventFollower.Step) -> [UInt8]) -> [UInt8]? {
        switch stream {
        case .events(var follower):
            defer { stream = .events(follower) }
            return follower.next(of: log).map(event)
        case .messages(var follower, let feed):
            defer { stream = .messages(follower, of: feed) }
            return follower.next(of: feed)?.json.octets()
        }
    }
}
