// SPDX-License-Identifier: Apache-2.0

/// Extends a wrapping counter (33-bit PTS, 32-bit RTP timestamp, 16-bit sequence number) to 64 bits. Each value becomes
/// the one nearest to the value before it.
@frozen
public struct TimestampUnwrapper: Sendable {
    @usableFromInline let bits: Int64
    @usableFromInline var last: Int64?

    /// - Parameter bits: width of the counter, 8...48.
    @inlinable
    public init(bits: Int) {
        precondition((8...48).contains(bits))
        self.bits = Int64(bits)
    }

    /// Extends a value from the one before it; the first is taken as it is.
    @inlinable
    public mutating func unwrap(_ value: UInt64) -> Int64 {
        let extended = nearest(value)
        last = extended
        return extended
    }

    /// What `unwrap` would return; the state does not change.
    @inlinable
    public func nearest(_ value: UInt64) -> Int64 {
        let modulus: Int64 = 1 << bits
        let wrapped = Int64(truncatingIfNeeded: value) & (modulus &- 1)
        guard let last else { return wrapped }
        var difference = (wrapped &- last) & (modulus &- 1)
        if difference >= modulus >> 1 { difference &-= modulus }
        return last &+ difference
    }

    @inlinable public mutating func reset() { last = nil }
}
