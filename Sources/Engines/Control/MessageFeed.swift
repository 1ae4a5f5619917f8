// SPDX-License-Identifier: Apache-2.0
import ControlMessages
import JSON

/// The newest messages of a data channel, up to a limit in octets, for the callers that follow it. A reader holds
/// nothing but a sequence number, so a slow reader costs nothing and loses the oldest messages.
///
/// - Thread: the loop's thread only.
public final class MessageFeed {
    static let octetLimit = 1 << 20

    private struct Entry {
        let message: JSONValue
        let octets: Int
    }

    /// The name or id by which the channel was asked for.
    public let channel: String
    /// The sequence number of the message that was appended last; 0 before the first. The feed numbers messages itself,
    /// independently of their senders.
    public private(set) var lastSequence: UInt64 = 0
    private var kept: [Entry] = []
    private var octets = 0

    public init(of channel: String) { self.channel = channel }

    /// - Parameter octets: the approximate size of the message.
    public func append(_ message: JSONValue, octets: Int) {
        lastSequence += 1
        kept.append(Entry(message: message, octets: octets))
        self.octets += octets
        var surplus = 0
        while self.octets > Self.octetLimit, surplus < kept.count - 1 {
            self.octets -= kept[surplus].octets
            surplus += 1
        }
        kept.removeFirst(surplus)
    }

    /// One reader's position in the feed. It gives each message once, in order, and reports the messages that the feed
    /// has dropped at their place.
    struct Follower: Sendable {
        private var sequence: UInt64

        /// Begins with the next message.
        init(_ feed: MessageFeed) { sequence = feed.lastSequence }

        /// nil until the feed has more.
        mutating func next(of feed: MessageFeed) -> ControlReply? {
            let missing = feed.lastSequence - sequence
            guard missing > 0 else { return nil }
            let lost = missing - min(missing, UInt64(feed.kept.count))
            if lost > 0 {
                sequence += lost
                return .dropped(lost)
            }
            sequence += 1
            return .message(feed.kept[feed.kept.count - Int(missing)].message)
        }
    }
}
