// SPDX-License-Identifier: Apache-2.0
import Synchronization

/// Whether the threads of a session have ended and released what they held, the decoder included. Outlives the session.
public final class SessionEnd: Sendable {
    private let running: Atomic<Int>

    /// - Parameter threads: number of the session's threads.
    init(threads: Int) { running = Atomic(threads) }

    public var isReached: Bool { running.load(ordering: .acquiring) == 0 }

    /// Called before another thread is started.
    func threadStarts() { running.wrappingAdd(1, ordering: .acquiringAndReleasing) }

    /// Called by each thread as its last action.
    func threadEnded() { running.wrappingSubtract(1, ordering: .acquiringAndReleasing) }
}
