// SPDX-License-Identifier: Apache-2.0
import Synchronization

/// A thread's request to be woken by another thread's next step. A thread that found work does not ask, so it is not
/// woken at each step.
///
/// The waiting thread declares its interest and then looks once more. That look sees every step made before the
/// declaration; every later step finds the declaration.
public struct Interest: ~Copyable, Sendable {
    // Both sides use an exchange, not a store and a load, so each reads what the other wrote last.
    private let isDeclared = Atomic<Bool>(true)

    public init() {}

    /// Called by the thread that is about to wait.
    public func declare() { _ = isDeclared.exchange(true, ordering: .acquiringAndReleasing) }

    /// Called by the other thread, after the effect of its step is visible.
    /// - Returns: whether to wake the waiting thread; false from then on until that thread declares its interest again.
    public func take() -> Bool { isDeclared.exchange(false, ordering: .acquiringAndReleasing) }
}
