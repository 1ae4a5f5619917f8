// SPDX-License-Identifier: Apache-2.0
import JSON

/// The stream that a WebSocket follows, and its position in it.
public struct WebFollower {
    private enum Stream {
        case events(EventFollower)
        case messages(MessageFeed.Follower, of: MessageFeed)
    }

    private var stream: Stream

    public init(_ events: EventFollower) { stream = .events(events) }

    /// Begins with the next message.
    public init(_ feed: MessageFeed) { stream = .messages(MessageFeed.Follower(feed), of: feed) }

    /// The feed that the WebSocket follows; nil if it follows events.
    public var feed: MessageFeed? {
        if case .messages(_, let feed) = stream { feed } else { nil }
    }

    /// The next message of the WebSocket; nil until there is one.
    /// - Parameter event: turns an event into a message of the WebSocket.
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
