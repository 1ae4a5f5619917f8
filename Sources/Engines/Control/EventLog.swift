// SPDX-License-Identifier: Apache-2.0
import JSON
import Time
import Venue

/// The one ordered stream of events. A reader holds nothing but a sequence number, so a slow reader costs nothing and
/// loses the oldest events. The log never waits for a reader.
public struct EventLog: Sendable {
    private let capacity: Int
    /// What tells this run of the service from those before, whose sequence numbers began at 1, too.
    public let run: String
    /// The types of events that say what is true of a session also when that has ended.
    private let outlivingSessions: Set<String>
    /// Sequence number s is at (s - 1) % capacity.
    private var ring: [Event] = []
    /// What of several events only the last says the present state.
    private struct Subject: Hashable {
        let type: String
        /// The region that the event names; nil if it is of `main` or of none.
        let region: String?
    }

    /// The last event of each subject, for late subscribers. It stays small because only the program defines types, and
    /// the regions are those of the stage.
    private var lastOfSubject: [Subject: Event] = [:]

    /// The sequence number of the event that was appended last; 0 before the first.
    public private(set) var lastSequence: UInt64 = 0

    /// - Parameter outlivingSessions: the types of events that say what is true of a session also when that has ended.
    public init(capacity: Int = 1_024, run: String = "first", outlivingSessions: Set<String> = []) {
        precondition(capacity > 0)
        self.capacity = capacity
        self.run = run
        self.outlivingSessions = outlivingSessions
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
        lastOfSubject[Subject(type: "\(family.rawValue).\(name)", region: payload["region"]?.string)] = event
        return event
    }

    /// The events after `sequence`, oldest first.
    /// - Parameter limit: at least 1.
    /// - Returns: the events, and the number of events between `sequence` and the first of them that the log no longer
    ///   has.
    public func events(after sequence: UInt64, atMost limit: Int = .max) -> (dropped: UInt64, events: [Event]) {
        guard sequence < lastSequence else { return (0, []) }
        let oldest = lastSequence - UInt64(ring.count) + 1
        let first = max(sequence + 1, oldest)
        let count = min(max(limit, 1), Int(clamping: lastSequence - first + 1))
        let events = (0..<count).map { ring[index(first + UInt64($0))] }
        return (first - sequence - 1, events)
    }

    /// Forgets the state of regions that the stage has no more.
    public mutating func keepRegions(_ present: Set<String>) {
        lastOfSubject = lastOfSubject.filter { $0.key.region.map(present.contains) ?? true }
    }

    /// Forgets what was told of a session that has ended, except what outlives it.
    public mutating func sessionEnded(_ session: Int64) {
        lastOfSubject = lastOfSubject.filter { subject, event in
            event.payload["session"]?.integer != session || outlivingSessions.contains(subject.type)
        }
    }

    /// The last event of each type and each region, in order. A late subscriber starts with it and continues after
    /// `lastSequence`.
    public var snapshot: [Event] { lastOfSubject.values.sorted { $0.sequence < $1.sequence } }

    /// The index of a sequence number in the ring, which grows from sequence number 1.
    private func index(_ sequence: UInt64) -> Int { Int((sequence - 1) % UInt64(capacity)) }
}
