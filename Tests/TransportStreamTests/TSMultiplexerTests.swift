// SPDX-License-Identifier: Apache-2.0
import Bytes
import TestSupport
import Testing

@testable import TransportStream

@Suite struct TSMultiplexerTests {
    /// What ffmpeg's stream holds, multiplexed again with the decoding time as clock, a tick each 10 ms.
    static func remultiplex(_ sink: RecordingSink, shift: Int64 = 0, name: String = "Kanal 1") -> [UInt8] {
        var layout = TSMultiplexer.Layout(provider: "Prüfung", name: name)
        layout.audioLanguage = "deu"
        var multiplexer = TSMultiplexer(layout)
        var out = WireWriter()
        var units = (sink.video.map { ($0, true) } + sink.audio.map { ($0, false) }).map { entry, isVideo in
            (entry, isVideo, Int64(entry.unit.dts ?? entry.unit.pts ?? 0))
        }
        units.sort { $0.2 < $1.2 }
        var clock = ((units.first?.2 ?? 0) - 9000 + shift) * 300
        for (entry, isVideo, dts) in units {
            while clock + 270_000 < (dts - 9000 + shift) * 300 {
                clock += 270_000
                multiplexer.writeDue(clock: clock, to: &out)
            }
            clock = max(clock, (dts - 9000 + shift) * 300)
            let pts = Int64(entry.unit.pts ?? 0) + shift
            entry.bytes.withUnsafeBytes { bytes in
                if isVideo {
                    multiplexer.writeVideo(
                        bytes, pts: pts, dts: dts + shift, isRandomAccess: entry.unit.isRandomAccess, clock: clock,
                        to: &out)
                } else {
                    multiplexer.writeAudio(bytes, pts: pts, clock: clock, to: &out)
                }
            }
        }
        return out.bytes
    }

    private let original: RecordingSink

    init() throws { original = RecordingSink.demultiplex(try Vector.bytes("testsrc2.ts")).sink }

    /// A stream of its units alone: no program clock, and no picture need be in it.
    @Test func hasNoClockWhenTold() {
        let unit: [UInt8] = [0, 0, 0, 1, 0x65, 0x88, 0x80]
        for isVideo in [true, false] {
            var layout = TSMultiplexer.Layout(provider: "", name: "")
            layout.hasClock = false
            if isVideo { layout.audioPID = nil } else { layout.videoPID = nil }
            var multiplexer = TSMultiplexer(layout)
            var out = WireWriter()
            for index in 0..<20 as Range<Int64> {
                let clock = index * 27_000 * 40
                unit.withUnsafeBytes { bytes in
                    if isVideo {
                        multiplexer.writeVideo(bytes, pts: index * 3_600, isRandomAccess: true, clock: clock, to: &out)
                    } else {
                        multiplexer.writeAudio(bytes, pts: index * 3_600, clock: clock, to: &out)
                    }
                }
                multiplexer.writeClock(clock, to: &out)
            }
            let (sink, demultiplexer) = RecordingSink.demultiplex(out.bytes)
            #expect(demultiplexer.program?.pcrPID == nil && demultiplexer.program?.streams.count == 1)
            #expect((isVideo ? sink.video.count : sink.audio.count) == 20)
            let clocks = out.bytes.withUnsafeBytes { bytes in
                stride(from: 0, to: bytes.count, by: TSPacket.size).filter {
                    (try? TSPacket(bytes, at: $0))?.pcr != nil
                }
            }
            #expect(clocks.isEmpty)
        }
    }

    @Test func aBrokenUnitShows() {
        var multiplexer = TSMultiplexer(TSMultiplexer.Layout(provider: "", name: ""))
        var out = WireWriter()
        let picture: [UInt8] = [0, 0, 0, 1, 0x65, 0x88] + [UInt8](repeating: 0x55, count: 900)
        for index in 0..<9 as Range<Int64> {
            picture.withUnsafeBytes {
                multiplexer.writeVideo(
                    $0, pts: index * 3_600, isRandomAccess: true, isBroken: index == 4, clock: index * 1_080_000,
                    to: &out)
            }
        }
        let (sink, demultiplexer) = RecordingSink.demultiplex(out.bytes)
        let stamps = (0..<9 as Range<UInt64>).map { $0 * 3_600 }
        #expect(sink.video.map(\.unit.pts) == stamps)
        #expect(sink.video.map(\.unit.isDamaged) == stamps.map { $0 == 4 * 3_600 })
        #expect(demultiplexer.counters.continuityErrors == 1)
    }

    @Test func keepsEveryUnit() {
        let stream = Self.remultiplex(original)
        #expect(stream.count % TSPacket.size == 0)
        let (sink, demultiplexer) = RecordingSink.demultiplex(stream)
        #expect(sink.videoLines == original.videoLines && sink.audioLines == original.audioLines)
        #expect(sink.video.map(\.bytes) == original.video.map(\.bytes))
        #expect(demultiplexer.service?.name == "Kanal 1" && demultiplexer.service?.provider == "Prüfung")
        var expected = TSCounters()
        expected.packets = UInt64(stream.count / TSPacket.size)
        #expect(demultiplexer.counters == expected)
    }

    @Test func wrapsTimesAndClock() throws {
        let shift = (1 << 33) - Int64(original.video[30].unit.pts ?? 0)
        let sink = RecordingSink.demultiplex(Self.remultiplex(original, shift: shift)).sink
        let expected = original.videoLines.map { ($0.pts &+ UInt64(shift)) & 0x1_FFFF_FFFF }
        #expect(sink.videoLines.map(\.pts) == expected)
    }

    /// By the clock readings in the stream: PCR 40 ms, PAT and PMT 100 ms, SDT 2 s.
    @Test func keepsTheDistancesOfTheStandards() throws {
        let stream = Self.remultiplex(original)
        var clock: UInt64?
        var last: [UInt16: UInt64] = [:]
        var greatest: [UInt16: UInt64] = [:]
        try stream.withUnsafeBytes { bytes in
            let offsets = stride(from: 0, to: bytes.count, by: TSPacket.size)
            clock = try offsets.compactMap { try TSPacket(bytes, at: $0).pcr }.first
            for offset in offsets {
                let packet = try TSPacket(bytes, at: offset)
                if let pcr = packet.pcr {
                    if let clock { greatest[packet.pid] = max(greatest[packet.pid] ?? 0, pcr - clock) }
                    clock = pcr
                }
                guard let clock, [0, 0x11, 0x1000].contains(packet.pid) else { continue }
                if let before = last[packet.pid] {
                    greatest[packet.pid] = max(greatest[packet.pid] ?? 0, clock - before)
                }
                last[packet.pid] = clock
            }
        }
        let millisecond: UInt64 = 27_000
        #expect(greatest[0x100, default: .max] <= 40 * millisecond)
        // The tables come before the clock of their moment: 10 ms of tolerance.
        #expect(greatest[0, default: .max] <= 100 * millisecond && greatest[0x1000, default: .max] <= 100 * millisecond)
        #expect(greatest[0x11, default: .max] <= 2000 * millisecond)
    }

    @Test(arguments: Array(stride(from: 1, through: 400, by: Effort.isEmulated ? 7 : 1)))
    func fillsPacketsForAnyLength(count: Int) throws {
        var multiplexer = TSMultiplexer(TSMultiplexer.Layout(provider: "", name: ""))
        var out = WireWriter()
        let unit = [0, 0, 0, 1, 9, 0xF0, 0, 0, 1, 0x65, 0x88] + Array(repeating: UInt8(7), count: count)
        let audio = Array(repeating: UInt8(count & 0xFF), count: count)
        unit.withUnsafeBytes {
            multiplexer.writeVideo($0, pts: 90_000, isRandomAccess: count.isMultiple(of: 2), clock: 0, to: &out)
        }
        audio.withUnsafeBytes { multiplexer.writeAudio($0, pts: 90_000, clock: 0, to: &out) }
        #expect(out.count % TSPacket.size == 0)
        let (sink, demultiplexer) = RecordingSink.demultiplex(out.bytes)
        #expect(sink.video.map(\.bytes) == [unit] && sink.audio.map(\.bytes) == [audio])
        #expect(demultiplexer.counters.malformedPackets == 0 && demultiplexer.counters.damagedUnits == 0)
    }

    @Test func insertsAMissingDelimiter() {
        var multiplexer = TSMultiplexer(TSMultiplexer.Layout(provider: "", name: ""))
        var out = WireWriter()
        ([0, 0, 0, 1, 0x41, 0x88] as [UInt8]).withUnsafeBytes {
            multiplexer.writeVideo($0, pts: 0, isRandomAccess: false, clock: 0, to: &out)
        }
        let video = RecordingSink.demultiplex(out.bytes).sink.video
        #expect(video.map(\.bytes) == [[0, 0, 0, 1, 9, 0xF0, 0, 0, 0, 1, 0x41, 0x88]])
    }

    private static let pictures: [(codec: StreamCodec, begins: [UInt8], slice: [UInt8])] = [
        (.h264, [0, 0, 0, 1, 9, 0xF0], [0, 0, 0, 1, 0x65, 0x88]),
        (.hevc, [0, 0, 0, 1, 0x46, 1, 0x50], [0, 0, 0, 1, 0x26, 1, 0xAF]),
        (.mpeg2Video, [], [0, 0, 1, 0, 0, 0x0F, 0xFF, 0xF8, 0, 0, 1, 1, 0x22]),
    ]

    /// Listed as what it is, and with the delimiter that its coding has.
    @Test(arguments: pictures.indices) func writesEachCodingOfPictures(index: Int) {
        let (codec, begins, slice) = Self.pictures[index]
        var layout = TSMultiplexer.Layout(provider: "", name: "")
        layout.videoCodec = codec
        var multiplexer = TSMultiplexer(layout)
        var out = WireWriter()
        for (count, unit) in [slice, begins + slice].enumerated() {
            unit.withUnsafeBytes {
                multiplexer.writeVideo($0, pts: Int64(count), isRandomAccess: false, clock: 0, to: &out)
            }
        }
        let (sink, demultiplexer) = RecordingSink.demultiplex(out.bytes)
        #expect(demultiplexer.program?.video?.codec == codec)
        #expect(sink.video.map(\.bytes) == [begins + slice, begins + slice])
    }

    @Test(arguments: [.adts, .latm, .mpegAudio, .ac3, .enhancedAC3, .opus] as [StreamCodec])
    func writesEachCodingOfSound(codec: StreamCodec) {
        var layout = TSMultiplexer.Layout(provider: "", name: "")
        layout.videoPID = nil
        layout.audioCodec = codec
        layout.audioChannels = codec == .opus ? 2 : 0
        var multiplexer = TSMultiplexer(layout)
        var out = WireWriter()
        // Lengths about those at which the control header of Opus has another octet.
        let units = [1, 254, 255, 256, 510, 1_275].map { [UInt8](repeating: UInt8($0 & 0x7F), count: $0) }
        for (index, unit) in units.enumerated() {
            unit.withUnsafeBytes { multiplexer.writeAudio($0, pts: Int64(index) * 1_800, clock: 0, to: &out) }
        }
        let (sink, demultiplexer) = RecordingSink.demultiplex(out.bytes)
        let stream = demultiplexer.program?.audio
        #expect(stream?.codec == codec && stream?.channels == layout.audioChannels)
        #expect(sink.audio.map(\.bytes) == units && demultiplexer.counters.malformedAudio == 0)
        #expect(sink.audio.map(\.unit.pts) == units.indices.map { UInt64($0) * 1_800 })
    }

    /// Beyond 65535 octets the length cannot be announced.
    @Test func writesAPictureOfAnySize() {
        var multiplexer = TSMultiplexer(TSMultiplexer.Layout(provider: "", name: ""))
        var out = WireWriter()
        let unit = [0, 0, 0, 1, 9, 0xF0, 0, 0, 1, 0x41, 0x88] + Array(repeating: UInt8(7), count: 300_000)
        unit.withUnsafeBytes { multiplexer.writeVideo($0, pts: 0, isRandomAccess: false, clock: 0, to: &out) }
        #expect(RecordingSink.demultiplex(out.bytes).sink.video.map(\.bytes) == [unit])
    }

    @Test func theClockAloneDisturbsNothing() throws {
        var multiplexer = TSMultiplexer(TSMultiplexer.Layout(provider: "", name: ""))
        var out = WireWriter()
        let unit: [UInt8] = [0, 0, 0, 1, 9, 0xF0, 0, 0, 1, 0x41, 0x88]
        for tick in 0..<20 as Range<Int64> {
            multiplexer.writeClock(tick * 27_000, to: &out)
            unit.withUnsafeBytes {
                multiplexer.writeVideo($0, pts: tick, isRandomAccess: false, clock: tick * 27_000, to: &out)
            }
        }
        let (sink, demultiplexer) = RecordingSink.demultiplex(out.bytes)
        #expect(sink.video.count == 20 && demultiplexer.counters.continuityErrors == 0)
    }
}
