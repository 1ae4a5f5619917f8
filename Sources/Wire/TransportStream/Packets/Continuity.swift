// SPDX-License-Identifier: Apache-2.0

/// The continuity counter of one PID (ISO/IEC 13818-1 2.4.3.3): +1 with each payload, one repetition allowed, and a
/// jump where discontinuity_indicator permits it.
///
/// Counters alone take the loss of 15 packets for a repetition, so a repetition must also look like what it repeats: the
/// payload's ends are compared, which a repetition may not change (only its PCR may differ). Where a unit starts it is
/// the whole payload: tables of two streams begin alike and end in the same stuffing.
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

    /// Bits 0...3 counter, 4 seen, 5 repeated, 6 discontinuity, 7 payload, 8... digest of the payload.
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
            now |= 0x80 | Continuity.digest(of: packet, in: bytes) << 8
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

    /// 56 bits of the first and the last octets, and of those between when a unit starts.
    @inlinable
    static func digest(of packet: TSPacket, in bytes: UnsafeRawBufferPointer) -> UInt64 {
        let payload = packet.payload.clamped(to: 0..<bytes.count)
        guard payload.count >= 8 else {
            var few = UInt64(truncatingIfNeeded: payload.count)
            for octet in bytes[payload] { few = few << 8 | UInt64(octet) }
            return few & 0xFF_FFFF_FFFF_FFFF
        }
        let end = payload.upperBound &- 8
        var digest = word(at: payload.lowerBound, bytes) &* 0x9E37_79B9_7F4A_7C15
        var next = packet.startsUnit ? payload.lowerBound &+ 8 : end
        while next < end {
            digest = (digest ^ word(at: next, bytes)) &* 0x9E37_79B9_7F4A_7C15
            next &+= 8
        }
        return (digest ^ word(at: end, bytes) &* 0xC2B2_AE3D_27D4_EB4F) >> 8
    }

    @inlinable
    static func word(at offset: Int, _ bytes: UnsafeRawBufferPointer) -> UInt64 {
        bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
    }
}
