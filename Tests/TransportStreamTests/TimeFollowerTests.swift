// SPDX-License-Identifier: Apache-2.0
import Testing
import Time

@testable import TransportStream

/// From packets of the PID of time tables to the time.
struct TimeFollowerTests {
    private struct Sink: AccessUnitSink {
        var times: [WallTime] = []

        mutating func videoUnit(_ unit: PESUnit, in bytes: UnsafeRawBufferPointer) {}
        mutating func audioUnit(_ unit: PESUnit, in bytes: UnsafeRawBufferPointer) {}
        mutating func programChanged(_ program: Program?) {}
        mutating func timeTold(_ utc: WallTime) { times.append(utc) }
    }

    private var demultiplexer = TSDemultiplexer()
    private var sink = Sink()
    private var counter: UInt8 = 0

    private mutating func push(_ section: [UInt8]) {
        PSITests.packets(section, pid: 0x14, counter: counter).withUnsafeBytes {
            demultiplexer.push(datagram: $0, to: &sink)
        }
        counter += 1
    }

    @Test mutating func eachTableTells() {
        let utc = TimeTableTests.utc
        let later = WallTime(nanoseconds: utc.nanoseconds + 30_000_000_000)
        push(TimeTable(utc: utc, offsets: nil).section())
        push(TimeTable(utc: utc, offsets: nil).section())
        let offset = LocalTimeOffset(
            country: "DEU", region: 0, offset: .seconds(3_600), changesAt: nil, nextOffset: .seconds(7_200))
        push(TimeTable(utc: later, offsets: [offset]).section())
        #expect(sink.times == [utc, utc, later] && demultiplexer.utc == later)
        #expect(demultiplexer.counters.malformedSections == 0)
    }

    @Test mutating func whatIsBrokenTellsNothing() {
        var broken = TimeTable(utc: TimeTableTests.utc, offsets: []).section()
        broken[5] ^= 1
        push(broken)
        push([0x70, 0x70, 0x05, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF])  // undefined
        #expect(sink.times.isEmpty && demultiplexer.utc == nil && demultiplexer.counters.malformedSections == 2)
        push([0x72, 0x70, 0x05, 0xC0, 0x79, 0x12, 0x45, 0x00])  // stuffing
        #expect(sink.times.isEmpty && demultiplexer.counters.malformedSections == 2)
    }
}
