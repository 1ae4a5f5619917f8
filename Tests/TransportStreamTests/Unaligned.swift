// SPDX-License-Identifier: Apache-2.0
import Bytes

@testable import TransportStream

/// Pictures in PES packets of one size that begin anywhere.
struct Unaligned {
    /// Of each picture, the time that a receiver can know.
    private(set) var times: [UInt64?] = []
    private var units: [[UInt8]] = []

    init(_ pictures: [RecordingSink.Unit], size: Int, isBounded: Bool) {
        var places: [(start: Int, unit: PESUnit)] = []
        var octets: [UInt8] = []
        for picture in pictures {
            places.append((octets.count, picture.unit))
            octets += picture.bytes
        }
        times = Array(repeating: nil, count: pictures.count)
        for start in stride(from: 0, to: octets.count, by: size) {
            let data = octets[start..<min(octets.count, start + size)]
            // Where the zero octet before a start code is the last of a PES packet, the picture begins behind it.
            let first = places.firstIndex { Unaligned.code($0.start, octets) >= start }
            var out = WireWriter()
            if let first, Unaligned.code(places[first].start, octets) < start + size {
                let unit = places[first].unit
                times[first] = unit.pts
                PESHeader.write(
                    streamID: 0xE0, pts: Int64(unit.pts ?? 0), dts: unit.dts.map { Int64($0) },
                    dataCount: isBounded ? data.count : 1 << 16, to: &out)
            } else {
                let length = isBounded ? data.count + 3 : 0
                out.write(contentsOf: [0, 0, 1, 0xE0, UInt8(length >> 8), UInt8(length & 0xFF), 0x80, 0, 0])
            }
            units.append(out.bytes + data)
        }
    }

    /// Of 00 00 01.
    private static func code(_ start: Int, _ octets: [UInt8]) -> Int { octets[start + 2] == 0 ? start + 1 : start }

    func packets(type: UInt8) -> [UInt8] { Self.packets(units, of: ElementaryStream(type: type, pid: 0x100)) }

    /// Whole PES packets as the only stream of a program.
    static func packets(_ units: [[UInt8]], of stream: ElementaryStream) -> [UInt8] {
        let association = PAT(transportStreamID: 1, programs: [PAT.Program(number: 1, mapPID: 0x1000)])
        let map = PMT(programNumber: 1, pcrPID: nil, streams: [stream])
        var out = WireWriter()
        out.write(contentsOf: PSITests.packets(association.section(version: 0), pid: 0))
        out.write(contentsOf: PSITests.packets(map.section(version: 0), pid: 0x1000))
        var counter: UInt8 = 0
        for unit in units {
            var rest = unit[...]
            while !rest.isEmpty {
                let packet = TSPacketWriter(pid: stream.pid, startsUnit: rest.count == unit.count, counter: counter)
                let count = packet.write(available: rest.count, to: &out)
                out.write(contentsOf: rest.prefix(count))
                rest = rest.dropFirst(count)
                counter = counter &+ 1 & 0xF
            }
        }
        return out.bytes
    }
}
