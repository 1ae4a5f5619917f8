// SPDX-License-Identifier: Apache-2.0
import JSON
import Time
import Venue

/// The one ordered stream of what happens. Readers hold a sequence number and nothing else, so a slow one costs nothing
/// and loses the oldest; the log never waits for anybody.
public struct EventLog: Sendable {
    private let capacity: Int
    /// Sequence s is at s % capacity.
    private var ring: [Event] = []
    /// The last of each type, for late subscribers: types are few and of our making.
    private var lastOfType: [String: Event] = [:]

    /// Of the event appended last; 0 before the first.
    public private(set) var lastSequence: UInt64 = 0

    public init(capacity: Int = 1_024) {
        precondition(capacity > 0)
        self.capacity = capacity
    }

    @discardableResult
    public mutating func append(
        _ family: Event.Family, _ name: String, _ payload: JSONValue = [:], time: Monotonic, wallTime: WallTime
    ) -> Event {
        lastSequence += 1
        let event = Event(
            sequence: lastSequence, time: time, wallTime: wallTime, family: family, name: name, payload: payload)
        let place = index(lastSequence)
        if place < ring.count { ring[place] = event } else { ring.append(event) }
        lastOfType["\(family.rawValue).\(name)"] = event
        return event
    }

    /// The events behind `sequence`, oldest first, and how many of those the log no longer has. Lost ones are counted at
    /// their place: before the first that is returned.
    /// - Parameter limit: at least 1.
    public func events(after sequence: UInt64, atMost limit: Int = .max) -> (dropped: UInt64, events: [Event]) {
        guard sequence < lastSequence else { return (0, []) }
        let oldest = lastSequence - UInt64(ring.count) + 1
        let first = max(sequence + 1, oldest)
        let count = min(max(limit, 1), Int(clamping: lastSequence - first + 1))
        let events = (0..<count).map { ring[index(first + UInt64($0))] }
        return (first - sequence - 1, events)
    }

    /// What a late subscriber starts from: the last event of each type, in order. Changes follow after `lastSequence`.
    public var snapshot: [Event] { lastOfType.values.sorted { $0.sequence < $1.sequence } }

    /// Fits the ring, which grows from sequence 1.
    private func index(_ sequence: UInt64) -> Int { Int((sequence - 1) % UInt64(capacity)) }
}
