// SPDX-License-Identifier: Apache-2.0
import TransportStream

/// Finds datagrams of a stream without sequence numbers that come twice: over two interfaces, or through a loop. Its
/// memory is allocated once.
struct DatagramCopies {
    /// A hash of each of the last 32 datagrams, by which one that comes again is found.
    private var digests = [UInt64](repeating: 0, count: 32)
    private var next = 0
    /// How usual copies are: more by `step` with each, less by one with each datagram that is none.
    private var frequency = 0
    private static let (step, most) = (4, 64)

    /// Whether a datagram came before: it is like one of the last, and has a clock reference or counters that do not go
    /// on, or does not begin where the packet that waits ends. Filler at a constant rate and silence are alike too, but
    /// counted. The datagram is remembered.
    /// - Parameters:
    ///   - joiner: may have the beginning of a packet, which the datagram would continue.
    ///   - continuity: the counters before the datagram and before that packet.
    mutating func isCopy(
        _ datagram: UnsafeRawBufferPointer, after joiner: PacketJoiner, _ continuity: ContinuityTable
    ) -> Bool {
        let layout = TSFramer.layout(of: datagram)
        guard hasSeen(datagram, layout) else {
            frequency = max(0, frequency - 1)
            return false
        }
        // A piece of a packet has neither counter nor clock reference.
        guard let layout else { return frequency > 0 && (joiner.isIdle || !DatagramCopies.isFiller(datagram)) }
        if layout.distance == TSPacket.size, layout.start != joiner.missing { return found() }
        var isTold = false
        for offset in stride(from: layout.start, through: datagram.count - TSPacket.size, by: layout.distance) {
            // What is no packet here tells nothing.
            guard let packet = try? TSPacket(datagram, at: offset), packet.pid != PID.null else { continue }
            let before = DatagramCopies.counter(of: packet.pid, before: offset, in: datagram, layout)
            guard let counter = before ?? DatagramCopies.counter(of: packet.pid, joiner, continuity) else { continue }
            let goesOn = packet.pcr == nil && (!packet.hasPayload || packet.continuityCounter == (counter &+ 1) & 0xF)
            guard goesOn else { return found() }
            guard packet.hasPayload else { continue }
            isTold = isTold || !DatagramCopies.isFiller(UnsafeRawBufferPointer(rebasing: datagram[packet.payload]))
        }
        // The counters of one copy in sixteen go on by chance.
        return isTold && frequency >= Self.most / 4
    }

    private mutating func found() -> Bool {
        frequency = min(Self.most, frequency + Self.step)
        return true
    }

    private static func isFiller(_ octets: UnsafeRawBufferPointer) -> Bool {
        octets.prefix(8).allSatisfy { $0 == 0xFF || $0 == 0 }
    }

    /// The counter of the packet on a PID before the one at an offset of the same datagram; nil if none is there.
    private static func counter(
        of pid: UInt16, before offset: Int, in datagram: UnsafeRawBufferPointer, _ layout: TSFramer.Layout
    ) -> UInt8? {
        for place in stride(from: offset - layout.distance, through: layout.start, by: -layout.distance) {
            // What is no packet here tells nothing.
            if let packet = try? TSPacket(datagram, at: place), packet.pid == pid { return packet.continuityCounter }
        }
        return nil
    }

    /// The counter of the packet on a PID before the datagram; nil if it is not known.
    private static func counter(of pid: UInt16, _ joiner: PacketJoiner, _ continuity: ContinuityTable) -> UInt8? {
        guard !joiner.isIdle else { return continuity.counter(of: pid) }
        guard let waiting = joiner.waiting else { return nil }
        return waiting.pid == pid ? waiting.counter : continuity.counter(of: pid)
    }

    /// - Returns: whether a datagram with the same packet headers and clock references, first and last octets is among
    ///   the last 32. Of a datagram without a whole packet all octets count.
    private mutating func hasSeen(_ datagram: UnsafeRawBufferPointer, _ layout: TSFramer.Layout?) -> Bool {
        guard datagram.count >= 16 else { return false }
        func word(_ offset: Int) -> UInt64 { datagram.loadUnaligned(fromByteOffset: offset, as: UInt64.self) }
        var digest = DatagramCopies.mix(UInt64(datagram.count), word(0))
        // A clock reference is in octets 6 to 11 of its packet.
        for offset in stride(from: layout?.start ?? 0, through: datagram.count - 16, by: layout?.distance ?? 16) {
            digest = DatagramCopies.mix(digest, word(offset))
            digest = DatagramCopies.mix(digest, word(offset + 8))
        }
        digest ^= word(datagram.count - 8) &* 0xC2B2_AE3D_27D4_EB4F
        if digests.contains(digest) { return true }
        digests[next] = digest
        next = (next + 1) % digests.count
        return false
    }

    private static func mix(_ digest: UInt64, _ octets: UInt64) -> UInt64 {
        let product = (digest ^ octets) &* 0x9E37_79B9_7F4A_7C15
        return product ^ product >> 32
    }
}
