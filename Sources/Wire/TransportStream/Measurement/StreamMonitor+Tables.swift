// SPDX-License-Identifier: Apache-2.0
import Time
import Venue

extension StreamMonitor {
    @usableFromInline
    mutating func tablePacketReceived(
        _ packet: TSPacket, in bytes: UnsafeRawBufferPointer, at arrival: Monotonic, place: UInt8,
        ledger: () -> TableLedger
    ) {
        switch place {
        case Place.association, Place.map, Place.description: read(ledger(), at: arrival)
        case Place.conditionalAccess:
            let news = conditionalAccess.push(packet, in: bytes)
            count(.crc, Int64(news.crcErrors))
            count(.cat, Int64(news.foreign))
            if news.sections > 0, lastScrambled != nil { came(Watched.conditionalAccess, at: arrival) }
        case Place.network: count(.crc, Int64(network.push(packet, in: bytes).crcErrors))
        case Place.events: count(.crc, Int64(events.push(packet, in: bytes).crcErrors))
        case Place.time: count(.crc, Int64(time.push(packet, in: bytes).crcErrors))
        default: break
        }
    }

    private mutating func read(_ now: TableLedger, at arrival: Monotonic) {
        let before = ledger
        ledger = now
        let broken =
            (now.association.crcErrors &- before.association.crcErrors)
            &+ (now.map.crcErrors &- before.map.crcErrors)
            &+ (now.description.crcErrors &- before.description.crcErrors)
        count(.crc, Int64(clamping: broken))
        count(.pat, Int64(clamping: now.association.foreign &- before.association.foreign))
        if now.association.sections != before.association.sections { came(Watched.association, at: arrival) }
        if now.mapPID != before.mapPID || now.program != before.program { follow(at: arrival) }
        if now.map.sections != before.map.sections { came(Watched.map, at: arrival) }
    }

    /// Takes a scrambled packet, whose content cannot be read. PAT and PMT must not be scrambled; any other scrambled
    /// packet requires a CAT.
    @usableFromInline
    mutating func scrambledPacketReceived(_ place: UInt8, at arrival: Monotonic) {
        switch place {
        case Place.association: count(.pat)
        case Place.map: count(.pmt)
        default: break
        }
        if place >= Place.firstStream { watches[Watched.firstPTS + Int(place - Place.firstStream)].forget() }
        lastScrambled = arrival
        expect(Watched.conditionalAccess, from: arrival)
    }
}
