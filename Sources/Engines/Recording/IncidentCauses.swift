// SPDX-License-Identifier: Apache-2.0
import Time

/// Decides when what is recorded is frozen: a moment after its cause, so that what follows is there too, and once for
/// each cause within the time of grace.
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

    /// What is to be frozen by now.
    public mutating func takeDue(at now: Monotonic) -> [Due] {
        let due = waiting.filter { $0.at <= now }.map(\.due)
        waiting.removeAll { $0.at <= now }
        return due
    }
}
