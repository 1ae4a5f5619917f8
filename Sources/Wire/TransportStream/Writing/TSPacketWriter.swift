// SPDX-License-Identifier: Apache-2.0
import Bytes

/// Writes the header of one packet, so that the packet has 188 octets with its payload.
struct TSPacketWriter {
    let pid: UInt16
    var startsUnit = false
    var counter: UInt8
    var isRandomAccess = false
    /// PCR in ticks of 27 MHz, 0..<2^33 * 300; nil if none is written.
    var pcr: UInt64?

    static var capacity: Int { TSPacket.size - 4 }

    /// - Parameter available: octets of payload left to write; 0 for a packet with only an adaptation field.
    /// - Returns: how many of them the caller has to write now.
    func write(available: Int, to out: inout WireWriter) -> Int {
        let needed = pcr != nil ? 8 : isRandomAccess || available == 0 ? 2 : 0
        let payload = min(available, TSPacketWriter.capacity - needed)
        let field = TSPacketWriter.capacity - payload
        let control: UInt8 = (field > 0 ? 0x20 : 0) | (payload > 0 ? 0x10 : 0)
        out.write(TSPacket.syncByte)
        out.write((startsUnit ? 0x4000 : 0) | pid & 0x1FFF)
        out.write(control | counter & 0xF)
        guard field > 0 else { return payload }
        out.write(UInt8(field - 1))
        guard field > 1 else { return payload }
        out.write(UInt8((isRandomAccess ? 0x40 : 0) | (pcr != nil ? 0x10 : 0)))
        if let pcr { out.write((pcr / 300) << 15 | 0x7E00 | pcr % 300, octets: 6) }
        out.write(repeating: 0xFF, count: field - max(2, needed))
        return payload
    }
}
