// SPDX-License-Identifier: Apache-2.0
import Synchronization

/// Fixed-size queue from exactly one writing thread to exactly one reading thread; neither ever waits or allocates.
///
/// What happens when it is full is the writer's rule, written where the ring is made: `offer` gives the element back.
public final class HandoffRing<Element: ~Copyable>: @unchecked Sendable {
    // Sendable: slots between `read` and `written` belong to the reader, the others to the writer; the two indices are
    // published with release and read with acquire, so each slot has one owner at any instant.
    @usableFromInline let slots: UnsafeMutablePointer<Element>
    @usableFromInline let capacity: Int
    @usableFromInline let written = Atomic<Int>(0)
    @usableFromInline let taken = Atomic<Int>(0)

    /// - Parameter capacity: elements, 1...65 536.
    @inlinable
    public init(capacity: Int) {
        precondition((1...65_536).contains(capacity))
        self.capacity = capacity
        slots = .allocate(capacity: capacity)
    }

    @inlinable
    deinit {
        while take() != nil {}
        slots.deallocate()
    }

    /// Elements waiting; exact only for the two threads that use the ring.
    @inlinable public var count: Int { written.load(ordering: .acquiring) - taken.load(ordering: .acquiring) }
    @inlinable public var isFull: Bool { count >= capacity }

    /// Writer only. Nil when taken; else the element, because the ring is full.
    @inlinable
    public func offer(_ element: consuming Element) -> Element? {
        let index = written.load(ordering: .relaxed)
        guard index - taken.load(ordering: .acquiring) < capacity else { return element }
        (slots + index % capacity).initialize(to: element)
        written.store(index + 1, ordering: .releasing)
        return nil
    }

    /// Reader only. Nil when empty.
    @inlinable
    public func take() -> Element? {
        let index = taken.load(ordering: .relaxed)
        guard index < written.load(ordering: .acquiring) else { return nil }
        let element = (slots + index % capacity).move()
        taken.store(index + 1, ordering: .releasing)
        return element
    }
}
