// SPDX-License-Identifier: Apache-2.0

/// Writes big-endian fields to a growing array. It is the package's only writer of wire formats. `removeAll` keeps its
/// memory for the next use.
@frozen
public struct WireWriter: Sendable {
    @inlinable public var bytes: [UInt8] { storage }
    @usableFromInline var storage: [UInt8]

    @inlinable
    public init(reserving capacity: Int = 0) {
        storage = []
        storage.reserveCapacity(capacity)
    }

    @inlinable public var count: Int { storage.count }

    @inlinable
    public mutating func write<T: FixedWidthInteger>(_ value: T) {
        var shift = T.bitWidth
        while shift > 0 {
            shift &-= 8
            storage.append(UInt8(truncatingIfNeeded: value >> T(shift)))
        }
    }

    /// Writes the low `count` octets of `value`; `count` is 1...8.
    @inlinable
    public mutating func write(_ value: UInt64, octets count: Int) {
        precondition((1...8).contains(count))
        for index in (0..<count).reversed() { storage.append(UInt8(truncatingIfNeeded: value >> UInt64(index &* 8))) }
    }

    @inlinable
    public mutating func write(contentsOf other: some Sequence<UInt8>) { storage.append(contentsOf: other) }

    @inlinable
    public mutating func write(repeating octet: UInt8, count: Int) {
        storage.append(contentsOf: repeatElement(octet, count: max(count, 0)))
    }

    /// Overwrites the field at `offset`, for lengths and checksums that are known only at the end.
    @inlinable
    public mutating func overwrite<T: FixedWidthInteger>(_ value: T, at offset: Int) {
        let size = MemoryLayout<T>.size
        precondition(offset >= 0 && offset + size <= storage.count)
        for index in 0..<size {
            storage[offset &+ index] = UInt8(truncatingIfNeeded: value >> T((size &- 1 &- index) &* 8))
        }
    }

    @inlinable
    public mutating func removeAll() { storage.removeAll(keepingCapacity: true) }
}
