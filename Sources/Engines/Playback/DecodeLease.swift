// SPDX-License-Identifier: Apache-2.0
import Synchronization
import Time

/// The right of a decode thread to act for its session. A thread whose decoder does not return from a call loses it to
/// another one (PLAY-45), and touches nothing of the session should the call return after all.
/// - Thread: the decode thread renews it; the read thread may take it away.
final class DecodeLease: Sendable {
    private static let resting: Int64 = 0
    private static let lost = Int64.min

    private let state = Atomic<Int64>(resting)

    /// To be called before anything of the session is touched.
    /// - Returns: false if the thread has lost the session.
    func renew(at now: Monotonic) -> Bool { change(to: now.nanoseconds) }

    /// The thread has come back from its decoder.
    /// - Returns: false if it has lost the session.
    func rest() -> Bool { change(to: Self.resting) }

    private func change(to new: Int64) -> Bool {
        let old = state.load(ordering: .relaxed)
        guard old != Self.lost else { return false }
        return state.compareExchange(expected: old, desired: new, ordering: .acquiringAndReleasing).exchanged
    }

    /// A number for the last renewal; nil while the thread rests, and once it has lost the session.
    var renewal: Int64? {
        let state = state.load(ordering: .relaxed)
        return state == Self.resting || state == Self.lost ? nil : state
    }

    /// - Returns: whether the session was taken from the thread; not if it has renewed the lease meanwhile.
    func takeAway(renewedLast renewal: Int64) -> Bool {
        state.compareExchange(expected: renewal, desired: Self.lost, ordering: .acquiringAndReleasing).exchanged
    }
}
