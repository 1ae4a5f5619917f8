// SPDX-License-Identifier: Apache-2.0
import RTP
import TransportStream

/// Decides which octets of a datagram are recorded: those by which a receiver counts. Headers, adaptation fields, tables
/// of programs and the beginnings of units are kept, pictures and sound are not; a replay has zeros there.
///
/// Owned by one thread; all memory is taken in `init`.
struct PacketSieve {
    /// Whether everything is kept.
    var keepsPayload: Bool
    /// Whether the ends of payloads are kept where the continuity counter breaks. By them a duplicate is told from a gap.
    /// A protected flow compares the copies of a packet, which have to be recorded alike, and has no duplicates behind
    /// its window.
    var keepsEnds: Bool
    private var continuity = ContinuityTable()
    /// Whether the last unit of a PID was a section, by PID.
    private var carriesSections = [Bool](repeating: false, count: 1 << 13)

    /// Octets that are kept of a packet of repair: its headers. A replay makes its sums again.
    static let repairHead = 28
    /// Octets that are kept of a datagram that has no transport stream at its beginning.
    static let foreignHead = 64
    /// Octets at both ends of a payload that `Continuity` compares.
    private static let end = 8
    /// What may follow the last packet of a transport stream, such as the id of a protection window.
    private static let mostTrailing = 64

    init(keepsPayload: Bool, keepsEnds: Bool) {
        (self.keepsPayload, self.keepsEnds) = (keepsPayload, keepsEnds)
    }

    /// - Parameter isMedia: whether it is no packet of repair.
    mutating func sift(_ bytes: UnsafeRawBufferPointer, isMedia: Bool, into kept: inout KeptRanges) {
        kept.removeAll()
        if keepsPayload { return kept.add(0, bytes.count) }
        guard isMedia else { return kept.add(0, min(bytes.count, Self.repairHead)) }
        guard let start = beginning(of: bytes) else { return keepForeign(bytes, &kept) }
        kept.add(0, start)
        var place = start
        while place + TSPacket.size <= bytes.count, bytes[place] == TSPacket.syncByte {
            keep(at: place, of: bytes, &kept)
            place += TSPacket.size
        }
        if place == start {
            kept.removeAll()
            keepForeign(bytes, &kept)
        } else if bytes.count - place <= Self.mostTrailing {
            kept.add(place, bytes.count)
        } else {
            // Where packets of the stream would be found again depends on all octets.
            kept.removeAll()
            kept.add(0, bytes.count)
        }
    }

    /// Offset of the first packet of the stream; nil if the datagram is neither RTP nor a stream.
    private func beginning(of bytes: UnsafeRawBufferPointer) -> Int? {
        guard let first = bytes.first else { return nil }
        if first == TSPacket.syncByte { return 0 }
        return (try? RTPHeader(bytes))?.payload.lowerBound  // what is no RTP has no beginning
    }

    private func keepForeign(_ bytes: UnsafeRawBufferPointer, _ kept: inout KeptRanges) {
        kept.add(0, min(bytes.count, Self.foreignHead))
        kept.add(max(0, bytes.count - Self.end), bytes.count)
    }

    private mutating func keep(at place: Int, of bytes: UnsafeRawBufferPointer, _ kept: inout KeptRanges) {
        // What the receiver cannot read either is kept as it is.
        guard let packet = try? TSPacket(bytes, at: place) else { return kept.add(place, place + TSPacket.size) }
        let payload = packet.payload
        kept.add(place, packet.hasPayload ? payload.lowerBound : place + TSPacket.size)
        guard !packet.hasTransportError else { return }
        if packet.hasPayload, !packet.isScrambled { keepUnit(packet, of: bytes, &kept) }
        guard keepsEnds else { return }
        switch continuity.check(packet, in: bytes) {
        case .inOrder, .duplicate: break
        case .gap, .signalledDiscontinuity:
            kept.add(payload.lowerBound, min(payload.lowerBound + Self.end, payload.upperBound))
            kept.add(max(payload.upperBound - Self.end, payload.lowerBound), payload.upperBound)
        }
    }

    private mutating func keepUnit(_ packet: TSPacket, of bytes: UnsafeRawBufferPointer, _ kept: inout KeptRanges) {
        let (start, end) = (packet.payload.lowerBound, packet.payload.upperBound)
        let pid = Int(packet.pid)
        guard packet.startsUnit else {
            if carriesSections[pid] { kept.add(start, end) }
            return
        }
        guard end - start >= 9, bytes[start] == 0, bytes[start + 1] == 0, bytes[start + 2] == 1 else {
            // The guide, the names and the time of day count nothing. Tables of programs are where nobody announced.
            carriesSections[pid] = !Self.tablesOfService.contains(pid) && packet.pid != PID.null
            if carriesSections[pid] { kept.add(start, end) }
            return
        }
        carriesSections[pid] = false
        // Where a picture begins, its first octets show whether a decoder can begin there.
        let isVideo = bytes[start + 3] & 0xF0 == 0xE0
        kept.add(start, isVideo ? end : min(end, start + 9 + Int(bytes[start + 8]) + 2 * Self.end))
    }

    /// PIDs of the tables of EN 300 468.
    private static let tablesOfService = 0x10...0x1F
}
