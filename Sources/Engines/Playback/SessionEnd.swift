// SPDX-License-Identifier: Apache-2.0
import Synchronization

/// Whether the threads of a session have ended and given back what they held, its decoder first. Outlives the session.
public final class SessionEnd: Sendable {
    private let running: Atomic<Int>

    /// - Parameter threads: of the session.
    init(threads: Int) { running = Atomic(threads) }

    public var isReached: Bool { running.load(ordering: .acquiring) == 0 }

    /// The last act of each thread.
    func threadEnded() { running.wrappingSubtract(1, ordering: .acquiringAndReleasing) }
}
