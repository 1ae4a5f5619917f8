// SPDX-License-Identifier: Apache-2.0

/// Reads fields of any width from borrowed bytes, most significant bit first. Like `WireReader` it is total, and valid
/// only while the bytes are.
@frozen
public struct BitReader {
    @usableFromInline let bytes: UnsafeRawBufferPointer
    /// Position of the next bit, in bits from the start of `bytes`.
    @usableFromInline var position: Int
    @usableFromInline let end: Int

    /// - Parameter octets: the octets to read, clamped to the bytes; offsets in errors still count from the start of
    ///   `bytes`.
    /// - Parameter count: bits to read at most.
    @inlinable
    public init(_ bytes: UnsafeRawBufferPointer, in octets: Range<Int>, count: Int = .max) {
        let clamped = octets.clamped(to: 0..<bytes.count)
        self.bytes = bytes
        position = clamped.lowerBound &* 8
        end = position &+ min(clamped.count &* 8, max(count, 0))
    }

    @inlinable
    public init(_ bytes: UnsafeRawBufferPointer) { self.init(bytes, in: 0..<bytes.count) }

    /// Bits that are left.
    @inlinable public var remaining: Int { end &- position }
    @inlinable public var isAtEnd: Bool { position >= end }
    /// Offset of the octet that holds the next bit.
    @inlinable public var offset: Int { position / 8 }

    /// - Parameter width: bits, 0...32.
    @inlinable
    public mutating func read(_ width: Int) throws(WireError) -> UInt32 {
        precondition((0...32).contains(width))
        guard width <= remaining else { throw WireError(.truncated(needed: width, available: remaining), at: offset) }
        var value: UInt32 = 0
        for _ in 0..<width {
            value = value << 1 | UInt32(bytes[position / 8] >> UInt8(7 &- position % 8) & 1)
            position &+= 1
        }
        return value
    }
}
