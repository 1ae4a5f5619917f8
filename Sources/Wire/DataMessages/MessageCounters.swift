// SPDX-License-Identifier: Apache-2.0

/// Of one data channel since it was joined. Every sequence of a sender's run, from the first message that began to the
/// last, is in exactly one of `messages`, `incomplete`, `damaged` and `lost`, but for the one that is still coming.
public struct MessageCounters: Hashable, Sendable {
    /// Delivered whole, once each.
    public var messages: Int64 = 0
    /// Of those messages.
    public var octets: Int64 = 0
    /// A piece came, and not all.
    public var incomplete: Int64 = 0
    /// Whole, but not what was sent, by its checksum.
    public var damaged: Int64 = 0
    /// Nothing came of them.
    public var lost: Int64 = 0
    /// Began again behind their end.
    public var duplicates: Int64 = 0
    /// Payloads that are no piece of a message, or not of the one whose sequence they have.
    public var malformed: Int64 = 0
    /// A sender began to count anew.
    public var restarts: Int64 = 0

    public init() {}

    public mutating func add(_ other: MessageCounters) {
        messages += other.messages
        octets += other.octets
        incomplete += other.incomplete
        damaged += other.damaged
        lost += other.lost
        duplicates += other.duplicates
        malformed += other.malformed
        restarts += other.restarts
    }
}
