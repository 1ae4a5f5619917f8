// SPDX-License-Identifier: Apache-2.0
import Synchronization

/// A value that one thread publishes and others copy, whole. The writer never waits, not even while a reader is
/// preempted in the middle of a copy: of three slots it fills one, the readers copy another, and the third changes
/// hands.
///
///     writer ── set ──▶ [back] ⇄ [middle] ⇄ [front] ── value ──▶ readers, one at a time
public final class PublishedValue<Value: Sendable>: Sendable {
    /// Set in `middle` while its slot is newer than the readers'.
    @usableFromInline static var isNew: Int { 4 }

    // A slot is written by who holds its index alone, and handed over by the exchange of `middle`.
    @usableFromInline nonisolated(unsafe) let slots: UnsafeMutablePointer<Value>
    @usableFromInline let middle = Atomic<Int>(1)
    /// The writer's.
    @usableFromInline nonisolated(unsafe) var back = 0
    /// The readers', under `readers`.
    @usableFromInline nonisolated(unsafe) var front = 2
    @usableFromInline let readers = Mutex(())

    @inlinable
    public init(_ value: Value) {
        slots = .allocate(capacity: 3)
        slots.initialize(repeating: value, count: 3)
    }

    deinit {
        slots.deinitialize(count: 3)
        slots.deallocate()
    }

    /// - Thread: always the same.
    @inlinable
    public func set(_ value: Value) {
        slots[back] = value
        back = middle.exchange(back | Self.isNew, ordering: .acquiringAndReleasing) & ~Self.isNew
    }

    /// The newest.
    /// - Thread: any; readers wait for one another.
    @inlinable public var value: Value {
        readers.withLock { _ in
            if middle.load(ordering: .relaxed) & Self.isNew != 0 {
                front = middle.exchange(front, ordering: .acquiringAndReleasing) & ~Self.isNew
            }
            return slots[front]
        }
    }
}
