// SPDX-License-Identifier: Apache-2.0

/// Reads big-endian fields from borrowed bytes. It is the package's only reader of wire formats.
///
/// It is valid only while the bytes are: use it inside the `withUnsafeBytes` that gave them, and let only offsets and
/// values escape. It is total: every read returns a value or throws `WireError` with the offset; none traps.
@frozen
public struct WireReader {
    public let bytes: UnsafeRawBufferPointer
    /// Octets from the start of `bytes`; 0...`bytes.count`.
    @inlinable public var offset: Int { position }
    @usableFromInline var position: Int
    /// Offset of the first octet that this reader may not read.
    public let end: Int

    @inlinable
    public init(_ bytes: UnsafeRawBufferPointer) {
        self.bytes = bytes
        position = 0
        end = bytes.count
    }

    /// Reads only `range`, with offsets that still count from the start of `bytes`. The range is clamped to the bytes.
    @inlinable
    public init(_ bytes: UnsafeRawBufferPointer, in range: Range<Int>) {
        let clamped = range.clamped(to: 0..<bytes.count)
        self.bytes = bytes
        position = clamped.lowerBound
        end = clamped.upperBound
    }

    @inlinable public var remaining: Int { end &- offset }
    @inlinable public var isAtEnd: Bool { offset >= end }

    @inlinable
    public mutating func read<T: FixedWidthInteger>(_ type: T.Type = T.self) throws(WireError) -> T {
        let size = MemoryLayout<T>.size
        guard remaining >= size else { throw WireError(.truncated(needed: size, available: remaining), at: offset) }
        let value = bytes.loadUnaligned(fromByteOffset: offset, as: T.self)
        position &+= size
        return T(bigEndian: value)
    }

    /// An unsigned integer of 1...8 octets, for the 24-, 40- and 48-bit fields of many standards.
    @inlinable
    public mutating func read(octets count: Int) throws(WireError) -> UInt64 {
        precondition((1...8).contains(count))
        guard remaining >= count else { throw WireError(.truncated(needed: count, available: remaining), at: offset) }
        var value: UInt64 = 0
        for index in 0..<count { value = value << 8 | UInt64(bytes[offset &+ index]) }
        position &+= count
        return value
    }

    /// The next octets as a range of `bytes`; nothing is copied.
    @inlinable
    public mutating func take(_ count: Int) throws(WireError) -> Range<Int> {
        guard count >= 0, remaining >= count else {
            throw WireError(.truncated(needed: max(count, 0), available: remaining), at: offset)
        }
        let start = offset
        position &+= count
        return start..<offset
    }

    /// All octets that are left, as a range of `bytes`.
    @inlinable
    public mutating func takeRest() -> Range<Int> {
        let start = offset
        position = end
        return start..<end
    }

    @inlinable
    public mutating func skip(_ count: Int) throws(WireError) { _ = try take(count) }

    /// A reader of the next `count` octets only; this reader continues after them.
    @inlinable
    public mutating func reader(of count: Int) throws(WireError) -> WireReader {
        WireReader(bytes, in: try take(count))
    }

    @inlinable
    public func peek() throws(WireError) -> UInt8 {
        guard remaining >= 1 else { throw WireError(.truncated(needed: 1, available: 0), at: offset) }
        return bytes[offset]
    }
}
