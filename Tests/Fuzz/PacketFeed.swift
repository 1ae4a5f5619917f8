// SPDX-License-Identifier: Apache-2.0
import TransportStream

/// Content in as many packets as it takes, to a demultiplexer that is given a program first.
struct PacketFeed {
    static let program: UInt16 = 1

    var sink = TouchingSink()
    var demultiplexer = TSDemultiplexer(videoLimit: 4_096)
    private var continuity: [UInt16: UInt8] = [:]

    /// - Parameter stream: the only one of the program; nil for none.
    init(_ stream: ElementaryStream?) {
        let association = PAT(
            transportStreamID: 1, programs: [PAT.Program(number: Self.program, mapPID: 0x1000)])
        let map = PMT(programNumber: Self.program, pcrPID: nil, streams: stream.map { [$0] } ?? [])
        push([0] + association.section(version: 0), pid: 0)
        push([0] + map.section(version: 0), pid: 0x1000)
    }

    mutating func push(_ content: [UInt8], pid: UInt16) {
        for place in stride(from: 0, to: content.count, by: 184) {
            let part = content[place..<min(content.count, place + 184)]
            let filling = Array(repeating: UInt8(0xFF), count: 184 - part.count)
            let number = continuity[pid, default: 0]
            continuity[pid] = (number + 1) & 0xF
            let head: [UInt8] = [
                0x47, (place == 0 ? 0x40 : 0) | UInt8(pid >> 8), UInt8(pid & 0xFF), 0x10 | number,
            ]
            (head + part + filling).withUnsafeBytes { demultiplexer.push(datagram: $0, to: &sink) }
        }
    }
}
