// SPDX-License-Identifier: Apache-2.0
import ControlMessages
import JSON

/// What a data channel brings, on its way to those who follow it: the newest messages, as far as they fit. Readers hold a
/// sequence number and nothing else, so a slow one costs nothing and loses the oldest. Used on the loop's thread only.
public final class MessageFeed {
    static let octetLimit = 1 << 20

    private struct Entry {
        let message: JSONValue
        let octets: Int
    }

    /// What was asked for: a name or an id.
    public let channel: String
    /// Of the message appended last; 0 before the first. Of the feed: senders count otherwise.
    public private(set) var lastSequence: UInt64 = 0
    private var kept: [Entry] = []
    private var octets = 0

    public init(of channel: String) { self.channel = channel }

    /// - Parameter octets: of the message, about.
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

    /// How far one reader has come: each message is given once, in order, and what the feed lost meanwhile is told at its
    /// place.
    struct Follower: Sendable {
        private var sequence: UInt64

        /// From the next message on.
        init(_ feed: MessageFeed) { sequence = feed.lastSequence }

        /// Nil until the feed has more.
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
