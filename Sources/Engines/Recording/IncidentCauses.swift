// SPDX-License-Identifier: Apache-2.0
import Time

/// Decides when what is recorded is frozen: a moment after its cause, so that what follows is there too, once for each kind
/// of cause within the time of grace, and not more in an hour than the disk is to take.
public struct IncidentCauses: Sendable {
    public struct Due: Equatable, Sendable {
        public var kind: Incident.Kind
        public var cause: String
    }

    /// Time from a cause to the freezing.
    public static let moment = Nanoseconds.seconds(2)
    /// Time in which a cause does not make another incident.
    public static let grace = Nanoseconds.seconds(60)

    private var waiting: [(due: Due, at: Monotonic)] = []
    /// When the last incident of a kind began.
    private var last: [Incident.Kind: Monotonic] = [:]
    private var written: [(at: Monotonic, octets: Int)] = []
    private static let hour = Nanoseconds.seconds(3_600)
    /// Causes that made no incident of their own.
    public private(set) var passedOver: Int64 = 0

    public init() {}

    public mutating func happened(_ kind: Incident.Kind, _ cause: String, at now: Monotonic) {
        guard last[kind].map({ now - $0 >= Self.grace }) ?? true else {
            passedOver += 1
            return
        }
        last[kind] = now
        waiting.append((Due(kind: kind, cause: cause), now + Self.moment))
    }

    /// An incident was written to the disk, for whatever cause.
    public mutating func wrote(_ octets: Int, at now: Monotonic) {
        written.removeAll { now - $0.at >= Self.hour }
        written.append((now, octets))
    }

    /// What is to be frozen by now.
    /// - Parameter budget: octets that the disk is to take in an hour. What comes when they are used up is passed over.
    public mutating func takeDue(at now: Monotonic, budget: Int) -> [Due] {
        let due = waiting.filter { $0.at <= now }.map(\.due)
        guard !due.isEmpty else { return [] }
        waiting.removeAll { $0.at <= now }
        written.removeAll { now - $0.at >= Self.hour }
        guard written.reduce(0, { $0 + $1.octets }) < budget else {
            passedOver += Int64(due.count)
            return []
        }
        return due
    }
}
