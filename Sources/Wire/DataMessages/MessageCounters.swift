// SPDX-License-Identifier: Apache-2.0

/// Counters of one data channel since it was joined. Every sequence of a sender's run, from the first message received
/// to the last, counts in exactly one of `messages`, `incomplete`, `damaged` and `lost`, except the one still in
/// progress.
public struct MessageCounters: Hashable, Sendable {
    public var messages: Int64 = 0
    public var octets: Int64 = 0
    public var incomplete: Int64 = 0
    public var damaged: Int64 = 0
    public var lost: Int64 = 0
    public var duplicates: Int64 = 0
    public var malformed: Int64 = 0
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
