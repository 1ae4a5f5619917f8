// SPDX-License-Identifier: Apache-2.0
import Buffers
import Media
import Testing
import Time
import TransportStream

@testable import Playback

@Suite struct LiveReaderTests {
    /// A packet that holds the whole of a table.
    private func packet(_ pid: UInt16, _ section: [UInt8]) -> [UInt8] {
        let head: [UInt8] = [0x47, 0x40 | UInt8(pid >> 8), UInt8(pid & 0xFF), 0x30]
        let stuffing = [UInt8](repeating: 0xFF, count: 188 - 7 - section.count)
        let field: [UInt8] = [UInt8(stuffing.count + 1), 0]
        let pointer: [UInt8] = [0]
        return [head, field, stuffing, pointer, section].flatMap { $0 }
    }

    // Not in the macro, for 6.0.3: the registration of the stream, and what is told. "SCTE", and "DTS1".
    private static let registrations: [(UInt32?, [String])] = [
        (nil, []), (0x5343_5445, []), (0x4454_5331, ["unsupported DTS (stream_type 0x82) on PID 352"]),
    ]

    /// `streams.md` 17: stream_type 0x82 is subtitles by SCTE 27, which nobody misses, and DTS where it is registered.
    @Test(arguments: registrations) func subtitlesAreNoUnsupportedStream(registration: UInt32?, told: [String]) throws {
        let streams = [
            ElementaryStream(type: 0x1B, pid: 0x100),
            ElementaryStream(type: 0x82, pid: 352, registration: registration),
        ]
        let association = PAT(transportStreamID: 1, programs: [PAT.Program(number: 1, mapPID: 0x1000)])
        let map = PMT(programNumber: 1, pcrPID: 0x100, streams: streams)
        let history = HistoryBuffer(span: .seconds(60), capacity: 1 << 20)
        let tables = [packet(0, association.section(version: 0)), packet(0x1000, map.section(version: 0))]
        for (number, datagram) in tables.enumerated() {
            let arrival = Monotonic(nanoseconds: 60_000_000_000 + Int64(number) * 1_000_000)
            _ = datagram.withUnsafeBytes {
                history.append($0, arrival: arrival, flags: number == 0 ? .randomAccess : [])
            }
        }
        let sink = RecordingSink()
        let reader = LiveProvider(history, arrived: Wakeup()).open(into: sink)
        for _ in tables { #expect(try reader.advance() == .progressed) }
        #expect(try reader.advance() == .waiting)
        #expect(sink.told.contains("pictures h264"))
        #expect(sink.told.filter { $0.hasPrefix("unsupported") } == told)
        #expect(sink.counters.unsupportedStreams == Int64(told.count))
    }
}
