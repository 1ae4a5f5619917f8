// SPDX-License-Identifier: Apache-2.0
import Credentials
import Enrolling
import Synchronization
import Time

/// Boxes and users as a store had them when it was read last, and what came of their requests. The keeper's thread writes it,
/// the loop reads it.
final class KnownCallers: Sendable {
    struct State: Sendable {
        var enrolments = Enrolments()
        var users = Credentials()
        /// When the store was read last; nil: not yet.
        var read: Monotonic?
        var counters = EnrolmentCounters()
    }

    /// For how long what was read of a store that others write, too, counts without being read again.
    static let freshness = Nanoseconds.seconds(10)

    private let isShared: Bool
    private let state = Mutex(State())

    /// - Parameter isShared: whether other reporters write the store.
    init(isShared: Bool) { self.isShared = isShared }

    func with<Result: Sendable>(_ body: (inout State) -> Result) -> Result { state.withLock { body(&$0) } }

    var enrolments: Enrolments { with { $0.enrolments } }
    var users: Credentials { with { $0.users } }
    var counters: EnrolmentCounters { with { $0.counters } }

    func count(_ counter: WritableKeyPath<EnrolmentCounters, UInt64> & Sendable) {
        with { $0.counters[keyPath: counter] += 1 }
    }

    /// Whether nothing that another reporter wrote can have been missed for long.
    func isFresh(at now: Monotonic) -> Bool {
        with { state in
            guard let read = state.read else { return false }
            return !isShared || now - read <= Self.freshness
        }
    }
}
