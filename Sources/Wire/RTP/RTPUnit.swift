// SPDX-License-Identifier: Apache-2.0

/// What is known of one access unit beside its bytes.
@frozen
public struct RTPUnit: Sendable, Equatable {
    /// Of the payload format's clock, modulo 2^32; `TimestampUnwrapper(bits: 32)` of `Time` extends it.
    public var timestamp: UInt32
    /// A decoder can begin here.
    public var isRandomAccess = false
    /// Parts of the unit are missing.
    public var isDamaged = false
    /// Packets are missing before the unit, which may have held whole units.
    public var followsLoss = false
    /// Another source sends from here on: time stamps begin anew.
    public var isDiscontinuity = false
    /// What the depacketizer's `mark` was when the unit began.
    public var mark: UInt64 = 0

    public init(timestamp: UInt32) { self.timestamp = timestamp }
}
