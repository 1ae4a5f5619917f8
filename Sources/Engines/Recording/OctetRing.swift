// SPDX-License-Identifier: Apache-2.0
import Synchronization
import Time

/// A ring of records in memory that outlives the process. The oldest records give way.
///
///     0     "TLRING01"
///     8     capacity: octets of the records, a multiple of 8
///     16    head: position at which the next record begins
///     24    tail: position of the oldest record
///     32    octets of the description
///     40    description: JSON
///     16384 records
///
///     record  length:32  kind:8  part:8  0:16  time:64 (ns)  content, filled up to a multiple of 8
///
/// Positions grow for ever and are taken modulo the capacity. Integers are in the processor's order, because only the
/// same machine reads them. The writer moves `tail` before it overwrites and `head` after it has written, so that a
/// reader, or who finds the file of a dead process, can tell what is whole.
///
/// - Thread: one writer; any thread may call `image`. Nobody waits.
public final class OctetRing: @unchecked Sendable {
    // Sendable: a reader copies first and uses only what `tail` has not passed meanwhile (a sequence lock). The owner of
    // the memory keeps it.
    package static let magic = UInt64(bigEndian: 0x544C_5249_4E47_3031)
    package static let headerOctets = 16_384
    package static let recordHeader = 16
    static let (capacityPlace, headPlace, tailPlace, descriptionPlace) = (8, 16, 24, 32)

    private let memory: UnsafeMutableRawBufferPointer
    private let owner: AnyObject?
    public let capacity: Int
    private let head: UnsafeMutablePointer<Atomic<Int>>
    private let tail: UnsafeMutablePointer<Atomic<Int>>
    private let dropped = Atomic<Int>(0)

    /// Octets of memory for records of so many octets.
    public static func octets(for capacity: Int) -> Int { headerOctets + capacity }

    /// - Parameters:
    ///   - memory: zeros, of `octets(for:)`, with a multiple of 8 for the records, at least 4,096.
    ///   - owner: is kept as long as the ring; nil if the memory outlives it.
    ///   - description: what stands in front of the records; cut off if it is too long.
    public init(in memory: UnsafeMutableRawBufferPointer, of owner: AnyObject?, description: [UInt8]) {
        capacity = memory.count - Self.headerOctets
        precondition(capacity >= 4_096 && capacity % 8 == 0)
        guard let start = memory.baseAddress else { preconditionFailure("no memory") }
        (self.memory, self.owner) = (memory, owner)
        head = (start + Self.headPlace).bindMemory(to: Atomic<Int>.self, capacity: 1)
        tail = (start + Self.tailPlace).bindMemory(to: Atomic<Int>.self, capacity: 1)
        head.initialize(to: Atomic(0))
        tail.initialize(to: Atomic(0))
        start.storeBytes(of: capacity, toByteOffset: Self.capacityPlace, as: Int.self)
        describe(description)
        start.storeBytes(of: Self.magic, as: UInt64.self)
    }

    /// Replaces what stands in front of the records.
    /// - Thread: one at a time; who finds the file of a process that was killed here finds the new length or the old.
    public func describe(_ description: [UInt8]) {
        let room = Self.headerOctets - Self.descriptionPlace - 8
        let kept = description.count <= room ? description : []
        UnsafeMutableRawBufferPointer(rebasing: memory[Self.descriptionPlace + 8..<Self.headerOctets])
            .copyBytes(from: kept)
        memory.storeBytes(of: kept.count, toByteOffset: Self.descriptionPlace, as: Int.self)
    }

    /// Octets ever written, with what frames records.
    public var written: Int { head.pointee.load(ordering: .relaxed) }
    /// Records that were longer than half of the ring.
    public var droppedRecords: Int { dropped.load(ordering: .relaxed) }

    // MARK: Writer

    /// Begins a record; exactly `count` octets are given to `put` after this, then `end`.
    struct Writing {
        /// Offset in the memory of the next octet.
        fileprivate var place: Int
        /// Position at which the next record begins.
        fileprivate let end: Int
    }

    /// - Returns: nil if the record is too long for the ring.
    func begin(_ kind: UInt8, part: Int, at time: Monotonic, count: Int) -> Writing? {
        guard count <= capacity / 2 - Self.recordHeader else {
            dropped.wrappingAdd(1, ordering: .relaxed)
            return nil
        }
        let start = head.pointee.load(ordering: .relaxed)
        let end = start + Self.recordHeader + (count + 7) & ~7
        giveWay(to: end)
        // A record begins at a multiple of 8 and may wrap behind its first 8 octets.
        let word =
            UInt64(UInt32(truncatingIfNeeded: count)) | UInt64(kind) << 32
            | UInt64(UInt8(truncatingIfNeeded: part)) << 40
        store(word, at: start)
        store(UInt64(bitPattern: time.nanoseconds), at: start + 8)
        return Writing(place: Self.headerOctets + (start + Self.recordHeader) % capacity, end: end)
    }

    func put(_ bytes: UnsafeRawBufferPointer, _ writing: inout Writing) {
        let first = min(bytes.count, memory.count - writing.place)
        UnsafeMutableRawBufferPointer(rebasing: memory[writing.place..<writing.place + first])
            .copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes[..<first]))
        writing.place += first
        guard writing.place == memory.count else { return }
        writing.place = Self.headerOctets + bytes.count - first
        UnsafeMutableRawBufferPointer(rebasing: memory[Self.headerOctets..<writing.place])
            .copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes[first...]))
    }

    /// Likewise of an integer as it is in memory, of which as many octets are before it in the record as a multiple of 4:
    /// it does not wrap then.
    func put(_ word: UInt32, _ writing: inout Writing) {
        memory.storeBytes(of: word, toByteOffset: writing.place, as: UInt32.self)
        writing.place += MemoryLayout<UInt32>.size
        if writing.place == memory.count { writing.place = Self.headerOctets }
    }

    func end(_ writing: Writing) { head.pointee.store(writing.end, ordering: .releasing) }

    /// Appends a record.
    public func append(_ kind: UInt8, part: Int = 0, at time: Monotonic, _ bytes: UnsafeRawBufferPointer) {
        guard var writing = begin(kind, part: part, at: time, count: bytes.count) else { return }
        put(bytes, &writing)
        end(writing)
    }

    private func giveWay(to end: Int) {
        var oldest = tail.pointee.load(ordering: .relaxed)
        guard end - oldest > capacity else { return }
        while end - oldest > capacity {
            oldest += Self.recordHeader + (Int(load(at: oldest) & 0xFFFF_FFFF) + 7) & ~7
        }
        tail.pointee.store(oldest, ordering: .relaxed)
        // Readers must see the new tail before any octet of the old records changes.
        atomicMemoryFence(ordering: .sequentiallyConsistent)
    }

    private func store(_ word: UInt64, at position: Int) {
        memory.storeBytes(of: word, toByteOffset: Self.headerOctets + position % capacity, as: UInt64.self)
    }

    private func load(at position: Int) -> UInt64 {
        memory.load(fromByteOffset: Self.headerOctets + position % capacity, as: UInt64.self)
    }

    // MARK: Reader

    /// A copy of what the ring holds now. The writer goes on meanwhile; what it overwrote is left out.
    public func image() -> RingImage {
        let first = tail.pointee.load(ordering: .acquiring)
        let end = head.pointee.load(ordering: .acquiring)
        let octets = Array(UnsafeRawBufferPointer(memory))
        atomicMemoryFence(ordering: .sequentiallyConsistent)
        let still = max(first, tail.pointee.load(ordering: .relaxed))
        return RingImage(octets, capacity: capacity, from: min(still, end), to: end)
    }
}
