// SPDX-License-Identifier: Apache-2.0
import Foundation
import TransportStream

/// A transport stream of two programs: H.264 and AAC of three seconds again and again, each packet once for each.
struct TwoPrograms: Sendable {
    static let names = ["BBC ONE", "BBC TWO"]
    /// Periods of 40 ms from one repetition of the tables to the next.
    private static let repetition = 5

    private let packets: [[UInt8]]
    private let tables: [(pid: UInt16, section: [UInt8])]

    init() throws {
        let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent("../TransportStreamTests/Vectors/testsrc2.ts").standardizedFileURL
        let stream = [UInt8](try Data(contentsOf: file))
        packets = stride(from: 0, to: stream.count, by: 188).map { Array(stream[$0..<$0 + 188]) }
        let maps = (0..<2).map { index -> (pid: UInt16, section: [UInt8]) in
            let pid = UInt16(0x100 * (index + 1))
            let streams = [ElementaryStream(type: 0x1B, pid: pid), ElementaryStream(type: 0x0F, pid: pid + 1)]
            let map = PMT(programNumber: UInt16(index + 1), pcrPID: pid, streams: streams)
            return (UInt16(0x1000 + index), map.section(version: 0))
        }
        let programs = (0..<2).map { PAT.Program(number: UInt16($0 + 1), mapPID: UInt16(0x1000 + $0)) }
        let services = Self.names.enumerated().map {
            SDT.Service(id: UInt16($0.offset + 1), type: 1, provider: "BBC", name: $0.element)
        }
        tables =
            [(0, PAT(transportStreamID: 1, programs: programs).section(version: 0))] + maps + [
                (0x11, SDT(transportStreamID: 1, originalNetworkID: 1, services: services).section(version: 0))
            ]
    }

    /// The packets of a period.
    func period(_ number: Int) -> [UInt8] {
        var out: [UInt8] = []
        if number % Self.repetition == 0 {
            for (pid, section) in tables {
                let counter = UInt8(number / Self.repetition & 0xF)
                out += [0x47, 0x40 | UInt8(pid >> 8), UInt8(pid & 0xFF), 0x10 | counter, 0] + section
                out += [UInt8](repeating: 0xFF, count: 183 - section.count)
            }
        }
        let step = packets.count / 75
        for packet in packets[number % 75 * step..<(number % 75 + 1) * step] {
            let pid = UInt16(packet[1] & 0x1F) << 8 | UInt16(packet[2])
            guard pid == 0x100 || pid == 0x101 else { continue }
            var other = packet
            other[1] += 1
            out += packet + other
        }
        return out
    }
}
