// SPDX-License-Identifier: Apache-2.0
import Synchronization

/// Fixed-size queue from exactly one writing thread to exactly one reading thread; neither ever waits or allocates.
///
/// When the ring is full, `offer` gives the element back. What the writer does then is stated where the ring is made.
public final class HandoffRing<Element: ~Copyable>: @unchecked Sendable {
    // Sendable: slots between `taken` and `written` belong to the reader, the others to the writer. The two indices are
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

    /// Number of elements in the ring; exact only on the two threads that use it.
    @inlinable public var count: Int { written.load(ordering: .acquiring) - taken.load(ordering: .acquiring) }
    @inlinable public var isFull: Bool { count >= capacity }

    /// Called by the writer only.
    /// - Returns: nil when the ring took the element; the element itself when the ring is full.
    @inlinable
    public func offer(_ element: consuming Element) -> Element? {
        let index = written.load(ordering: .relaxed)
        guard index - taken.load(ordering: .acquiring) < capacity else { return element }
        (slots + index % capacity).initialize(to: element)
        written.store(index + 1, ordering: .releasing)
        return nil
    }

    /// Called by the reader only.
    /// - Returns: the oldest element, or nil when the ring is empty.
    @inlinable
    public func take() -> Element? {
        let index = taken.load(ordering: .relaxed)
        guard index < written.load(ordering: .acquiring) else { return nil }
        let element = (slots + index % capacity).move()
        taken.store(index + 1, ordering: .releasing)
        return element
    }
}
