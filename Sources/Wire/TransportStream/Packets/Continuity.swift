// SPDX-License-Identifier: Apache-2.0

/// The continuity counter of one PID (ISO/IEC 13818-1 2.4.3.3): +1 with each payload, one repetition allowed, and a
/// jump where discontinuity_indicator permits it.
///
/// Counters alone take the loss of 15 packets for a repetition, so a repetition must also look like what it repeats: the
/// ends of the payload are compared, which a repetition may not change (only its PCR may differ).
@frozen
public struct Continuity: Sendable {
    @frozen
    public enum Verdict: Sendable, Equatable {
        case inOrder
        /// The packet before, once more: to be dropped.
        case duplicate
        /// Packets are missing before this one, or it was repeated twice.
        case gap
        /// A jump that discontinuity_indicator announces.
        case signalledDiscontinuity
    }

    /// Bits 0...3 counter, 4 seen, 5 repeated, 6 discontinuity, 7 payload, 8... ends of the payload.
    @usableFromInline var state: UInt64 = 0

    @inlinable public init() {}

    /// - Parameter bytes: those that the packet was read from.
    @inlinable
    public mutating func check(_ packet: TSPacket, in bytes: UnsafeRawBufferPointer) -> Verdict {
        guard packet.pid != PID.null else { return .inOrder }
        let before = state
        let counter = UInt64(packet.continuityCounter)
        let isFlagged = packet.isDiscontinuity
        var now = counter | 0x10 | (isFlagged ? 0x40 : 0)
        if packet.hasPayload {
            now |= 0x80 | Continuity.ends(of: packet.payload, in: bytes) << 8
        } else {
            now |= before & ~0xFF  // what a later repetition is compared with
        }
        state = now
        guard before & 0x10 != 0 else { return .inOrder }
        let isSame = counter == before & 0xF
        if !packet.hasPayload { return isSame ? .inOrder : isFlagged ? .signalledDiscontinuity : .gap }
        if counter == (before &+ 1) & 0xF { return .inOrder }
        if isSame, before & 0xA0 == 0x80, now >> 8 == before >> 8, !isFlagged || before & 0x40 != 0 {
            state |= 0x20
            return .duplicate
        }
        return isFlagged ? .signalledDiscontinuity : .gap
    }

    /// 56 bits of the first and the last octets.
    @inlinable
    static func ends(of payload: Range<Int>, in bytes: UnsafeRawBufferPointer) -> UInt64 {
        guard payload.count >= 8, payload.lowerBound >= 0, payload.upperBound <= bytes.count else {
            var few = UInt64(truncatingIfNeeded: payload.count)
            for octet in bytes[payload.clamped(to: 0..<bytes.count)] { few = few << 8 | UInt64(octet) }
            return few & 0xFF_FFFF_FFFF_FFFF
        }
        let first = bytes.loadUnaligned(fromByteOffset: payload.lowerBound, as: UInt64.self)
        let last = bytes.loadUnaligned(fromByteOffset: payload.upperBound &- 8, as: UInt64.self)
        return (first &* 0x9E37_79B9_7F4A_7C15 ^ last &* 0xC2B2_AE3D_27D4_EB4F) >> 8
    }
}
