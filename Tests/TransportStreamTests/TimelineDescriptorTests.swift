// SPDX-License-Identifier: Apache-2.0
import Bytes
import TestSupport
import Testing
import Time

@testable import TransportStream

/// TEMI: from the extension of an adaptation field to the time of a timeline.
struct TimelineDescriptorTests {
    /// As GPAC's multiplexer writes them: three octets of flags and the id, then timescale, timestamp and NTP.
    static let short: [UInt8] = [0x40, 0x7F, 128, 0, 0, 0x03, 0xE8, 0x00, 0x01, 0x02, 0x03]
    static let long: [UInt8] = [0x80, 0x7F, 1, 0, 1, 0x5F, 0x90, 0, 0, 0, 1, 0, 0, 0, 2]
    static let stamped: [UInt8] = [0x60, 0x7F, 128, 0, 0, 0x03, 0xE8, 0, 0, 0, 9] + [UInt8](repeating: 7, count: 8)
    /// With PTP and a long time code, paused, after a discontinuity.
    static let full: [UInt8] =
        [0x79, 0xFF, 5, 0, 0, 0x03, 0xE8, 0, 0, 0, 9] + [UInt8](repeating: 7, count: 8 + 10 + 12)

    private func read(_ bytes: [UInt8]) throws -> TimelineDescriptor {
        try bytes.withUnsafeBytes { bytes in
            var reader = WireReader(bytes)
            return try TimelineDescriptor(from: &reader)
        }
    }

    @Test func readsWhatIsSent() throws {
        let short = try read(Self.short)
        #expect(short.timelineID == 128 && short.timestamp == .init(timescale: 1_000, ticks: 0x0001_0203))
        #expect(!short.isPaused && !short.isDiscontinuity)
        let long = try read(Self.long)
        #expect(long.timelineID == 1 && long.timestamp == .init(timescale: 90_000, ticks: 1 << 32 | 2))
        #expect(try read(Self.stamped).timestamp?.ticks == 9)
        let full = try read(Self.full)
        #expect(full.timelineID == 5 && full.timestamp?.ticks == 9 && full.isPaused && full.isDiscontinuity)
        #expect(try read([0x00, 0x7F, 3]).timestamp == nil)
        #expect(try read(Self.short + [1, 2, 3]) == short, "a later edition may add something")
    }

    @Test func cutOffItThrows() {
        for whole in [Self.short, Self.long, Self.stamped, Self.full] {
            for length in 0..<whole.count {
                #expect(throws: WireError.self, "\(length)") { try read(Array(whole.prefix(length))) }
            }
        }
    }

    @Test func namesWhatIsWrong() {
        #expect(throws: WireError(.invalid("has_timestamp", 3), at: 0)) { try read([0xC0, 0, 0] + Self.long) }
        #expect(throws: WireError(.invalid("has_timecode", 3), at: 0)) { try read([0x0C, 0, 0] + Self.long) }
        #expect(throws: WireError(.invalid("timescale", 0), at: 3)) { try read([0x40, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1]) }
    }

    // MARK: In a stream

    private struct Sink: AccessUnitSink {
        var marks: [TimelineMark] = []

        mutating func videoUnit(_ unit: PESUnit, in bytes: UnsafeRawBufferPointer) {}
        mutating func audioUnit(_ unit: PESUnit, in bytes: UnsafeRawBufferPointer) {}
        mutating func programChanged(_ program: Program?) {}
        mutating func timelineTold(_ mark: TimelineMark) { marks.append(mark) }
    }

    /// A packet in which a PES packet begins, with its time stamp, or goes on.
    /// - Parameter extension: what is behind the length of the adaptation field's extension.
    static func packet(
        pid: UInt16, counter: UInt8, pts: Int64?, extension fields: [UInt8], startsUnit: Bool = true
    ) -> [UInt8] {
        var head = WireWriter()
        PESHeader.write(streamID: 0xE0, pts: pts ?? 0, dts: nil, dataCount: 20, to: &head)
        var pes = head.bytes
        if pts == nil { pes.replaceSubrange(7...7, with: [0]) }
        let field: [UInt8] = [0x01, UInt8(fields.count)] + fields
        let start: [UInt8] = [
            0x47, UInt8(pid >> 8) | (startsUnit ? 0x40 : 0), UInt8(pid & 0xFF), 0x30 | counter & 0xF,
        ]
        let payload = pes + [UInt8](repeating: 0, count: 20)
        let stuffing = [UInt8](repeating: 0xFF, count: 188 - 5 - field.count - payload.count)
        let length: [UInt8] = [UInt8(field.count + stuffing.count)]
        return [start, length, field, stuffing, payload].flatMap { $0 }
    }

    static func descriptor(_ content: [UInt8]) -> [UInt8] { [0x04, UInt8(content.count)] + content }

    /// The tables of a program whose pictures are component 1 and whose other stream is component 2.
    static func tables() -> [UInt8] {
        let streams = [
            ElementaryStream(type: 0x1B, pid: 0x100, componentTag: 1), ElementaryStream(type: 0x0F, pid: 0x101),
            ElementaryStream(type: 0x06, pid: 0x102, componentTag: 2),
        ]
        let association = PAT(transportStreamID: 1, programs: [PAT.Program(number: 1, mapPID: 0x1000)])
        let map = PMT(programNumber: 1, pcrPID: 0x100, streams: streams)
        return PSITests.packets(association.section(version: 0), pid: 0)
            + PSITests.packets(map.section(version: 0), pid: 0x1000)
    }

    private func demultiplex(_ packets: [[UInt8]]) -> (marks: [TimelineMark], counters: TSCounters) {
        var demultiplexer = TSDemultiplexer()
        var sink = Sink()
        (Self.tables() + packets.flatMap { $0 }).withUnsafeBytes { demultiplexer.push(datagram: $0, to: &sink) }
        return (sink.marks, demultiplexer.counters)
    }

    @Test func componentTagsAreRead() throws {
        let stream = ElementaryStream(type: 0x1B, pid: 0x100, componentTag: 7)
        let section = PMT(programNumber: 1, pcrPID: 0x100, streams: [stream]).section(version: 0)
        #expect(try section.withUnsafeBytes { try PMT($0) }.streams == [stream])
    }

    /// Of pictures, and of a stream that is not delivered; beside the other fields of an extension, and beside others.
    @Test func eachIsTold() {
        let (other, last): ([UInt8], Int64) = ([0x05, 2, 0, 0], 1 << 33 - 1)
        var fields: [UInt8] = [0xEF] + [UInt8](repeating: 0, count: 10)
        for descriptor in [other, Self.descriptor(Self.long), Self.descriptor(Self.full)] { fields += descriptor }
        let (marks, counters) = demultiplex([
            Self.packet(pid: 0x100, counter: 0, pts: 900_000, extension: [0x0F] + Self.descriptor(Self.short)),
            Self.packet(pid: 0x102, counter: 0, pts: last, extension: fields),
        ])
        #expect(
            marks == [
                TimelineMark(
                    componentTag: 1, timelineID: 128, timestamp: .init(timescale: 1_000, ticks: 0x0001_0203),
                    isPaused: false, pts: 900_000),
                TimelineMark(
                    componentTag: 2, timelineID: 1, timestamp: .init(timescale: 90_000, ticks: 1 << 32 | 2),
                    isPaused: false, pts: UInt64(last)),
                TimelineMark(
                    componentTag: 2, timelineID: 5, timestamp: .init(timescale: 1_000, ticks: 9), isPaused: true,
                    pts: UInt64(last)),
            ])
        #expect(counters.malformedTimelines == 0 && counters.malformedPackets == 0)
    }

    /// No descriptors, none of a timeline, no component tag, no beginning of a PES packet, no time stamp.
    @Test func othersTellNothing() {
        let timeline = Self.descriptor(Self.short)
        let (marks, counters) = demultiplex([
            Self.packet(pid: 0x100, counter: 0, pts: 0, extension: [0x1F] + timeline),
            Self.packet(pid: 0x100, counter: 1, pts: 0, extension: [0x0F, 0x05, 1, 0]),
            Self.packet(pid: 0x100, counter: 2, pts: 0, extension: []),
            Self.packet(pid: 0x100, counter: 3, pts: 0, extension: [0x8F, 0]),
            Self.packet(pid: 0x101, counter: 0, pts: 0, extension: [0x0F] + timeline),
            Self.packet(pid: 0x105, counter: 0, pts: 0, extension: [0x0F] + timeline),
            Self.packet(pid: 0x100, counter: 4, pts: 0, extension: [0x0F] + timeline, startsUnit: false),
            Self.packet(pid: 0x100, counter: 5, pts: nil, extension: [0x0F] + timeline),
        ])
        #expect(marks.isEmpty)
        #expect(counters.malformedTimelines == 0 && counters.malformedPackets == 0)
    }

    /// What cannot be read is counted, and the picture of the packet is there all the same.
    @Test func whatIsBrokenIsCounted() {
        let (marks, counters) = demultiplex([
            Self.packet(pid: 0x100, counter: 0, pts: 0, extension: [0x0F, 0x04, 200] + Self.short),
            Self.packet(pid: 0x100, counter: 1, pts: 0, extension: [0x0F] + Self.descriptor([0xC0, 0, 0])),
        ])
        #expect(marks.isEmpty && counters.malformedTimelines == 2 && counters.malformedPackets == 0)
    }

    @Test func damageNeverTraps() {
        let whole = [Self.short, Self.long, Self.stamped, Self.full].enumerated().flatMap { index, content in
            Self.packet(
                pid: 0x100, counter: UInt8(index), pts: Int64(index) * 3_600,
                extension: [0x0F] + Self.descriptor(content))
        }
        var mutation = Mutation(seed: 0x7E31)
        var told = 0
        for _ in 0..<Mutation.count() {
            let damaged = mutation.damagePackets(whole)
            var demultiplexer = TSDemultiplexer()
            var sink = Sink()
            (Self.tables() + damaged).withUnsafeBytes { demultiplexer.push(datagram: $0, to: &sink) }
            #expect(sink.marks.allSatisfy { $0.timestamp.timescale > 0 && $0.pts < 1 << 33 })
            told += sink.marks.count
        }
        #expect(told > 0)
    }
}
