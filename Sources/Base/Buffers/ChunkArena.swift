// SPDX-License-Identifier: Apache-2.0

/// The memory of a queue from one thread to another: octets at ever growing positions, of which so many at most are in
/// use at a time. It consists of chunks, and those that lie first are taken first. A queue through which much passes
/// but in which little waits therefore has little memory, and that stays in the processor's caches.
///
/// - Thread: the writer calls `makeRoom` and `store`, the reader `load`. What is between them is their owner's.
public struct ChunkArena: ~Copyable, @unchecked Sendable {
    // Sendable: `places` of a chunk is written before the owner publishes positions in it, and again only when all of
    // them have been taken.
    @usableFromInline let memory: UnsafeMutableRawBufferPointer
    /// Where each chunk lies, by its number modulo their count.
    @usableFromInline let places: UnsafeMutableBufferPointer<UInt8>
    /// Binary logarithm of a chunk's octets.
    @usableFromInline let shift: Int
    /// Octets that can be in use at a time.
    public let capacity: Int

    /// Some of these may be needed for one chunk more, and all of them are bits of an integer.
    @usableFromInline static var mostChunks: Int { 48 }

    /// - Parameter capacity: octets, at least 4,096.
    @inlinable
    public init(capacity: Int) {
        precondition(capacity >= 4_096)
        self.capacity = capacity
        let least = (capacity + Self.mostChunks - 1) / Self.mostChunks
        shift = Int.bitWidth - (least - 1).leadingZeroBitCount
        // What is in use may begin and end in the middle of a chunk.
        let count = (capacity + (1 << shift) - 1) >> shift + 1
        memory = .allocate(byteCount: count << shift, alignment: 64)
        places = .allocate(capacity: count)
        places.initialize(repeating: 0)
    }

    @inlinable
    deinit {
        memory.deallocate()
        places.deallocate()
    }

    /// Before the writer stores anything at the positions from `start` to `end`. `oldest..<start` are in use.
    /// - Precondition: `end - oldest` is the capacity at most.
    @inlinable
    public func makeRoom(from start: Int, to end: Int, oldest: Int) {
        let (first, last) = (firstChunk(from: start), firstChunk(from: end))
        guard first < last else { return }
        var used: UInt64 = 0
        for chunk in (oldest >> shift)..<first { used |= 1 << UInt64(places[chunk % places.count]) }
        for chunk in first..<last {
            let free = (~used).trailingZeroBitCount
            used |= 1 << UInt64(free)
            places[chunk % places.count] = UInt8(truncatingIfNeeded: free)
        }
    }

    @inlinable
    public func store(_ source: UnsafeRawBufferPointer, at position: Int) {
        forEachPiece(at: position, octets: source.count) { piece, memory in
            memory.copyMemory(from: UnsafeRawBufferPointer(rebasing: source[piece]))
        }
    }

    @inlinable
    public func load(into target: UnsafeMutableRawBufferPointer, at position: Int) {
        forEachPiece(at: position, octets: target.count) { piece, memory in
            UnsafeMutableRawBufferPointer(rebasing: target[piece]).copyMemory(from: UnsafeRawBufferPointer(memory))
        }
    }

    @inlinable
    public func load<Value: BitwiseCopyable>(_ type: Value.Type, at position: Int) -> Value {
        withUnsafeTemporaryAllocation(byteCount: MemoryLayout<Value>.size, alignment: MemoryLayout<Value>.alignment) {
            load(into: $0, at: position)
            return $0.load(as: type)
        }
    }

    /// Octets up to the end of the last chunk that the last `capacity` octets were stored in.
    var touched: Int { (Int(places.max() ?? 0) + 1) << shift }

    /// Number of the first chunk that begins at a position or behind it.
    @inlinable
    func firstChunk(from position: Int) -> Int { (position + 1 << shift - 1) >> shift }

    @inlinable
    func forEachPiece(at position: Int, octets: Int, _ body: (Range<Int>, UnsafeMutableRawBufferPointer) -> Void) {
        var done = 0
        while done < octets {
            let place = position + done
            let offset = place & (1 << shift - 1)
            let count = min(octets - done, 1 << shift - offset)
            let start = Int(places[(place >> shift) % places.count]) << shift + offset
            body(done..<done + count, UnsafeMutableRawBufferPointer(rebasing: memory[start..<start + count]))
            done += count
        }
    }
}
