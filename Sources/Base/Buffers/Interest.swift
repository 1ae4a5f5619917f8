// SPDX-License-Identifier: Apache-2.0
import Synchronization

/// One thread's interest in what another one does next, so that it is woken when it has found nothing and not each time.
///
/// Who waits declares it and then looks once more: what was done before is seen by that look, what is done later finds
/// the declaration.
public struct Interest: ~Copyable, Sendable {
    // Exchanges on both sides, not a store and a load: each reads what the other wrote last.
    private let isDeclared = Atomic<Bool>(true)

    public init() {}

    /// By the thread that is about to wait.
    public func declare() { _ = isDeclared.exchange(true, ordering: .acquiringAndReleasing) }

    /// By the other, after what it did can be seen.
    /// - Returns: whether to wake the first one; then not again until that has looked.
    public func take() -> Bool { isDeclared.exchange(false, ordering: .acquiringAndReleasing) }
}
