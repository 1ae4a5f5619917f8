// SPDX-License-Identifier: Apache-2.0

import Glibc

/// Memory that is addressed by ever growing positions, each taken modulo the capacity. It does not synchronise: its
/// owner decides which thread may access which octets.
public struct ByteArena: ~Copyable, @unchecked Sendable {
    // Sendable: this is raw memory, and its owner (HistoryBuffer) proves that its accesses are safe.
    @usableFromInline let memory: UnsafeMutableRawBufferPointer
    public let capacity: Int

    /// - Parameter capacity: octets, at least 4 096.
    public init(capacity: Int) {
        precondition(capacity >= 4_096)
        self.capacity = capacity
        guard capacity >= 2 * Self.largePage else {
            memory = .allocate(byteCount: capacity, alignment: 64)
            return
        }
        memory = .allocate(byteCount: capacity, alignment: Self.largePage)
        // It is filled from its beginning to its end: each first octet of a small page would cost a fault. Without large
        // pages it works as well.
        _ = madvise(memory.baseAddress, capacity, MADV_HUGEPAGE)
    }

    /// Octets of the processor's next larger page.
    private static var largePage: Int { 2 << 20 }

    @inlinable
    deinit { memory.deallocate() }

    @inlinable
    public func store(_ source: UnsafeRawBufferPointer, at position: Int) {
        precondition(source.count <= capacity)
        let start = position % capacity
        let first = min(source.count, capacity - start)
        UnsafeMutableRawBufferPointer(rebasing: memory[start..<start + first])
            .copyMemory(from: UnsafeRawBufferPointer(rebasing: source[..<first]))
        guard first < source.count else { return }
        UnsafeMutableRawBufferPointer(rebasing: memory[..<(source.count - first)])
            .copyMemory(from: UnsafeRawBufferPointer(rebasing: source[first...]))
    }

    @inlinable
    public func load(into target: UnsafeMutableRawBufferPointer, at position: Int) {
        precondition(target.count <= capacity)
        let start = position % capacity
        let first = min(target.count, capacity - start)
        UnsafeMutableRawBufferPointer(rebasing: target[..<first])
            .copyMemory(from: UnsafeRawBufferPointer(rebasing: memory[start..<start + first]))
        guard first < target.count else { return }
        UnsafeMutableRawBufferPointer(rebasing: target[first...])
            .copyMemory(from: UnsafeRawBufferPointer(rebasing: memory[..<(target.count - first)]))
    }

    @inlinable
    public func load<Value: BitwiseCopyable>(_ type: Value.Type, at position: Int) -> Value {
        withUnsafeTemporaryAllocation(byteCount: MemoryLayout<Value>.size, alignment: MemoryLayout<Value>.alignment) {
            load(into: $0, at: position)
            return $0.load(as: type)
        }
    }
}
