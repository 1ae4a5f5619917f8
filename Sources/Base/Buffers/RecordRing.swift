// SPDX-License-Identifier: Apache-2.0
import Synchronization

/// Queue of byte records of varying size from one writing thread to one reading thread, in memory allocated once, of
/// which it touches as much as waits at a time. When it is full, it refuses the new record.
public final class RecordRing<Header: BitwiseCopyable & Sendable>: @unchecked Sendable {
    // Sendable: octets between `taken` and `written` belong to the reader, the others to the writer (see HandoffRing).
    @usableFromInline let arena: ChunkArena
    @usableFromInline let scratch: UnsafeMutableRawBufferPointer
    @usableFromInline let written = Atomic<Int>(0)
    @usableFromInline let taken = Atomic<Int>(0)

    @usableFromInline
    struct Prefix: BitwiseCopyable {
        @usableFromInline var octets: Int
        @usableFromInline var header: Header

        @inlinable
        init(octets: Int, header: Header) {
            self.octets = octets
            self.header = header
        }
    }

    /// - Parameters:
    ///   - capacity: octets of the ring.
    ///   - largestRecord: octets of the largest payload that `offer` accepts.
    @inlinable
    public init(capacity: Int, largestRecord: Int) {
        arena = ChunkArena(capacity: capacity)
        scratch = .allocate(byteCount: largestRecord, alignment: 16)
    }

    @inlinable
    deinit { scratch.deallocate() }

    /// Free octets. They include those that `offer` needs beside the payload.
    @inlinable
    public var room: Int {
        arena.capacity - (written.load(ordering: .acquiring) - taken.load(ordering: .acquiring))
    }

    @inlinable public var isEmpty: Bool { room == arena.capacity }

    /// Called by the writer only.
    /// - Returns: false when the record does not fit now; it was not stored.
    @inlinable
    public func offer(_ header: Header, _ payload: UnsafeRawBufferPointer) -> Bool {
        let start = written.load(ordering: .relaxed)
        let octets = MemoryLayout<Prefix>.size + payload.count
        let oldest = taken.load(ordering: .acquiring)
        guard payload.count <= scratch.count, octets <= arena.capacity - (start - oldest) else { return false }
        arena.makeRoom(from: start, to: start + octets, oldest: oldest)
        withUnsafeBytes(of: Prefix(octets: payload.count, header: header)) { arena.store($0, at: start) }
        arena.store(payload, at: start + MemoryLayout<Prefix>.size)
        written.store(start + octets, ordering: .releasing)
        return true
    }

    /// Called by the reader only. Calls `body` with the oldest record, which is valid during the call.
    /// - Returns: false when there is none.
    @inlinable
    public func take(_ body: (Header, UnsafeRawBufferPointer) -> Void) -> Bool {
        let start = taken.load(ordering: .relaxed)
        guard start < written.load(ordering: .acquiring) else { return false }
        let prefix = arena.load(Prefix.self, at: start)
        let payload = UnsafeMutableRawBufferPointer(rebasing: scratch[..<prefix.octets])
        arena.load(into: payload, at: start + MemoryLayout<Prefix>.size)
        taken.store(start + MemoryLayout<Prefix>.size + prefix.octets, ordering: .releasing)
        body(prefix.header, UnsafeRawBufferPointer(payload))
        return true
    }
}
