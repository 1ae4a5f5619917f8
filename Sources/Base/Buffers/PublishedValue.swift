// SPDX-License-Identifier: Apache-2.0
import Synchronization

/// A value that one thread publishes and other threads copy, always whole. The writer never waits, not even while a
/// reader is preempted in the middle of a copy. There are three slots: the writer fills one, the readers copy another,
/// and the third is exchanged between them.
///
///     writer ── set ──▶ [back] ⇄ [middle] ⇄ [front] ── value ──▶ readers, one at a time
public final class PublishedValue<Value: Sendable>: Sendable {
    /// Bit that is set in `middle` while its slot is newer than the readers' slot.
    @usableFromInline static var isNew: Int { 4 }

    // Only the holder of a slot's index writes the slot; the exchange of `middle` hands it over.
    @usableFromInline nonisolated(unsafe) let slots: UnsafeMutablePointer<Value>
    @usableFromInline let middle = Atomic<Int>(1)
    /// Index of the writer's slot.
    @usableFromInline nonisolated(unsafe) var back = 0
    /// Index of the readers' slot; guarded by `readers`.
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

    /// - Thread: always the same one.
    @inlinable
    public func set(_ value: Value) {
        slots[back] = value
        back = middle.exchange(back | Self.isNew, ordering: .acquiringAndReleasing) & ~Self.isNew
    }

    /// The newest value.
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
