// SPDX-License-Identifier: Apache-2.0

/// The check of one PID's continuity_counter (ISO/IEC 13818-1 2.4.3.3). It grows by 1 with each payload; one duplicate
/// is allowed, and a jump where discontinuity_indicator is set.
///
/// Some multiplexers count packets without payload as well, such as those that only carry a PCR. Which habit a PID has
/// is learned from these packets: as long as none has kept the counter, one that raises it by 1 is in order; when one has,
/// it means loss, until four in a row have raised it.
///
/// The counter alone cannot tell the loss of 15 packets from a duplicate, so both ends of the payload are compared as
/// well: in a duplicate only the PCR may differ. If a unit starts in the packet, the whole payload is compared, because
/// the tables of two streams may begin alike and end in the same stuffing.
@frozen
public struct Continuity: Sendable {
    @frozen
    public enum Verdict: Sendable, Equatable {
        case inOrder
        /// A duplicate of the previous packet; it is to be dropped.
        case duplicate
        /// Packets are missing before this one, or it is a second duplicate.
        case gap
        /// The counter jumps where discontinuity_indicator is set.
        case signalledDiscontinuity
    }

    /// Bits 0...3: counter, 4: a packet was seen, 5: duplicate, 6: discontinuity_indicator, 7: has a payload, 8...10: how
    /// many packets without payload in a row raised the counter, 11: one has kept it, 16...63: digest of the payload.
    @usableFromInline var state: UInt64 = 0

    @inlinable public init() {}

    /// The counter of the last packet; nil before the first.
    @inlinable public var counter: UInt8? { state & 0x10 == 0 ? nil : UInt8(truncatingIfNeeded: state & 0xF) }

    /// How many packets are missing where the verdict is `gap`: 1...15. Sixteen more leave no trace in the counter.
    /// - Parameter counter: of the packet before on the PID.
    public static func missing(from counter: UInt8, to packet: TSPacket) -> Int {
        Int((packet.continuityCounter &- counter &- (packet.hasPayload ? 1 : 0)) & 0xF)
    }

    /// - Parameter bytes: the bytes that the packet was read from.
    @inlinable
    public mutating func check(_ packet: TSPacket, in bytes: UnsafeRawBufferPointer) -> Verdict {
        guard packet.pid != PID.null else { return .inOrder }
        let before = state
        let counter = UInt64(packet.continuityCounter)
        let isFlagged = packet.isDiscontinuity
        var now = counter | 0x10 | (isFlagged ? 0x40 : 0) | before & 0xF00
        if packet.hasPayload {
            now |= 0x80 | Continuity.digest(of: packet, in: bytes) << 16
        } else {
            now |= before & ~0xFFFF  // a later duplicate is compared with these
        }
        state = now
        guard before & 0x10 != 0 else { return .inOrder }
        let isSame = counter == before & 0xF
        let isNext = counter == (before &+ 1) & 0xF
        if !packet.hasPayload {
            if isSame {
                state = now & ~0x700 | 0x800
                return .inOrder
            }
            if isNext, isHabit() { return .inOrder }
            return isFlagged ? .signalledDiscontinuity : .gap
        }
        if isNext { return .inOrder }
        if isSame, before & 0xA0 == 0x80, now >> 16 == before >> 16, !isFlagged || before & 0x40 != 0 {
            state |= 0x20
            return .duplicate
        }
        return isFlagged ? .signalledDiscontinuity : .gap
    }

    /// Whether packets without payload raise the counter on this PID, as one does now.
    @usableFromInline
    mutating func isHabit() -> Bool {
        let raised = min(7, state >> 8 & 7 &+ 1)
        let hasKept = raised < 4 ? state & 0x800 : 0
        state = state & ~0xF00 | raised << 8 | hasKept
        return hasKept == 0
    }

    /// A digest of 48 bits of the first and the last 8 octets of the payload; if a unit starts, of all octets.
    @inlinable
    static func digest(of packet: TSPacket, in bytes: UnsafeRawBufferPointer) -> UInt64 {
        let payload = packet.payload.clamped(to: 0..<bytes.count)
        guard payload.count >= 8 else {
            var few = UInt64(truncatingIfNeeded: payload.count)
            for octet in bytes[payload] { few = few << 8 | UInt64(octet) }
            return few &* 0x9E37_79B9_7F4A_7C15 >> 16
        }
        let end = payload.upperBound &- 8
        var digest = word(at: payload.lowerBound, bytes) &* 0x9E37_79B9_7F4A_7C15
        var next = packet.startsUnit ? payload.lowerBound &+ 8 : end
        while next < end {
            digest = (digest ^ word(at: next, bytes)) &* 0x9E37_79B9_7F4A_7C15
            next &+= 8
        }
        return (digest ^ word(at: end, bytes) &* 0xC2B2_AE3D_27D4_EB4F) >> 16
    }

    @inlinable
    static func word(at offset: Int, _ bytes: UnsafeRawBufferPointer) -> UInt64 {
        bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
    }
}
