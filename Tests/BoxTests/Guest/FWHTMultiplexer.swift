// SPDX-License-Identifier: Apache-2.0
import Bytes
import Time

@testable import TransportStream

/// A channel of FWHT pictures, each in a PES packet of private data.
struct FWHTMultiplexer {
    /// From a picture to the next: an emulated machine has time for few of them.
    static let period = Nanoseconds.milliseconds(200)
    private static let (mapPID, pid): (UInt16, UInt16) = (0x1000, 0x100)
    private static let association = PAT(
        transportStreamID: 1, programs: [PAT.Program(number: 1, mapPID: mapPID)]
    ).section(version: 0)
    private static let map = PMT(
        programNumber: 1, pcrPID: pid,
        streams: [ElementaryStream(type: 0x06, pid: pid, registration: 0x4657_4854)]  // "FWHT"
    ).section(version: 0)

    private var counters: [UInt16: UInt8] = [:]

    /// - Returns: tables, the time and the picture, in whole packets.
    mutating func packets(of picture: [UInt8], number: Int, isRandomAccess: Bool) -> [UInt8] {
        let time = 90_000 + TickRate.mpeg.ticks(Self.period) * Int64(number)
        var out = WireWriter()
        write([0] + Self.association, pid: 0, to: &out)
        write([0] + Self.map, pid: Self.mapPID, to: &out)
        var head = WireWriter()
        PESHeader.write(streamID: 0xE0, pts: time, dts: nil, dataCount: picture.count, to: &head)
        write(
            head.bytes + picture, pid: Self.pid, isRandomAccess: isRandomAccess, pcr: UInt64(time - 9_000) * 300,
            to: &out)
        return out.bytes
    }

    private mutating func write(
        _ content: [UInt8], pid: UInt16, isRandomAccess: Bool = false, pcr: UInt64? = nil, to out: inout WireWriter
    ) {
        let isSection = pcr == nil
        var rest = isSection ? content + [UInt8](repeating: 0xFF, count: 184 - content.count) : content
        var isFirst = true
        while !rest.isEmpty {
            let counter = counters[pid, default: 0]
            counters[pid] = (counter + 1) & 0xF
            let packet = TSPacketWriter(
                pid: pid, startsUnit: isFirst, counter: counter, isRandomAccess: isFirst && isRandomAccess,
                pcr: isFirst ? pcr : nil)
            let count = packet.write(available: rest.count, to: &out)
            out.write(contentsOf: rest.prefix(count))
            rest.removeFirst(count)
            isFirst = false
        }
    }
}
