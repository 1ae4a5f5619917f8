// SPDX-License-Identifier: Apache-2.0

/// The description of an access unit. The octets travel beside it.
@frozen
public struct RTPUnit: Sendable, Equatable {
    /// Time stamp by the payload format's clock, modulo 2^32. `TimestampUnwrapper(bits: 32)` extends it.
    public var timestamp: UInt32
    /// Whether a decoder can begin here.
    public var isRandomAccess = false
    /// Whether parts of the unit are missing.
    public var isDamaged = false
    /// Whether packets are missing before the unit; they may have contained whole units.
    public var followsLoss = false
    /// Whether another source sends from here on, with a new time base.
    public var isDiscontinuity = false
    /// Value of the depacketizer's `mark` when the unit began.
    public var mark: UInt64 = 0

    public init(timestamp: UInt32) { self.timestamp = timestamp }
}
