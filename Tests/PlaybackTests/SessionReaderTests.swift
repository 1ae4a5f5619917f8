// SPDX-License-Identifier: Apache-2.0
import Buffers
import Bytes
import Foundation
import Media
import Testing
import Time
import TransportStream

@testable import Playback

/// Sources of pictures, each by its own reader, into a sink that is no session.
@Suite struct SessionReaderTests {
    /// Three seconds: 75 pictures of H.264, a random-access point each second, and AAC.
    private static let clip = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appendingPathComponent("../TransportStreamTests/Vectors/testsrc2.ts").standardizedFileURL.path
    private static let delay = Nanoseconds.milliseconds(500)
    private static let head = PlaybackClockControl(playoutDelay: delay)

    private func read(_ reader: any SessionReader) throws -> ReaderProgress {
        for _ in 0..<10_000 {
            let progress = try reader.advance()
            if progress != .progressed { return progress }
        }
        return .progressed
    }

    private func at(_ milliseconds: Int64) -> Monotonic { Monotonic(nanoseconds: milliseconds * 1_000_000) }

    // MARK: A file

    @Test func aFileIsReadToItsEnd() throws {
        let sink = RecordingSink()
        let reader = try FileProvider(path: Self.clip).open(into: sink)
        #expect(sink.told == ["pictures h264", "ready, a duration", "streams h264 aac"])
        #expect(sink.streams.map(\.isPlayed) == [true, true])
        #expect(try read(reader) == .ended && sink.pictures.count == 75)
        #expect(sink.soundTimes.count > 100 && sink.soundTimes.allSatisfy { $0 != nil })
        #expect(try reader.advance() == .ended)
        #expect(sink.counters.videoUnits == 75 && sink.counters.readErrors == 0)
        let times = sink.pictures.map(\.time).sorted()
        #expect(zip(times, times.dropFirst()).allSatisfy { $1 - $0 == .milliseconds(40) })
    }

    /// What cannot be taken stays in the file.
    @Test func aFileWaitsForRoom() throws {
        let sink = RecordingSink()
        sink.hasRoomForSound = false
        let reader = try FileProvider(path: Self.clip).open(into: sink)
        #expect(try reader.advance() == .waiting && sink.pictures.isEmpty)
        sink.hasRoomForSound = true
        sink.horizon = Monotonic(nanoseconds: 0)
        #expect(try read(reader) == .waiting && sink.pictures.count == 1, "the first picture says what time it is")
    }

    /// From the random-access point before the target, which is due a little later, on the timeline of before.
    @Test func aFileSeeks() throws {
        let sink = RecordingSink()
        let reader = try FileProvider(path: Self.clip).open(into: sink)
        _ = try read(reader)
        let first = try #require(sink.pictures.map(\.time).min())
        sink.forget()
        let move = reader.seek(to: .position(.milliseconds(2_400)), from: Self.head, at: at(60_000))
        guard case .anchor(let time, let due) = move else {
            Issue.record("\(move)")
            return
        }
        #expect(due == at(60_250) && abs((time - first - .milliseconds(2_400)).milliseconds) <= 40)
        #expect(try read(reader) == .ended)
        #expect(sink.pictures.first?.unit.isRandomAccess == true)
        #expect((20..<50).contains(sink.pictures.count), "\(sink.pictures.count)")
        #expect(sink.pictures.contains { abs(($0.time - time).milliseconds) <= 40 })
        #expect(reader.seek(to: .behindLive(.zero), from: Self.head, at: at(60_000)) == .stay)
    }

    @Test(arguments: ["/nowhere.mp4", #filePath]) func whatIsNoMediaFileFails(path: String) {
        let sink = RecordingSink()
        #expect(throws: SourceFailure.self) { _ = try FileProvider(path: path).open(into: sink) }
        #expect(sink.told.isEmpty)
    }

    // MARK: A live channel

    /// The clip as it is received in three seconds from `start` on; its first datagram is a random-access point, and its
    /// stamps begin at 1.4 s.
    private func receive(into history: HistoryBuffer, from start: Monotonic) throws {
        let offset = Nanoseconds(start.nanoseconds) - .milliseconds(1_400)
        let stream = [UInt8](try Data(contentsOf: URL(fileURLWithPath: Self.clip)))
        let size = 7 * 188
        let count = (stream.count + size - 1) / size
        for number in 0..<count {
            let payload = stream[number * size..<min((number + 1) * size, stream.count)]
            let arrival = start + .seconds(3) * Int64(number) / Int64(count)
            _ = Array(payload).withUnsafeBytes {
                history.append($0, arrival: arrival, flags: number == 0 ? .randomAccess : [], offset: offset)
            }
        }
    }

    @Test func aChannelIsReadFromItsHistory() throws {
        let history = HistoryBuffer(span: .seconds(60), capacity: 1 << 20)
        try receive(into: history, from: at(60_000))
        let sink = RecordingSink()
        let reader = LiveProvider(history, arrived: Wakeup()).open(into: sink)
        // What is presented came at 60 s; the clock is at live.
        #expect(reader.reread(from: Self.head, at: at(60_500)) == .stay)
        #expect(try read(reader) == .waiting)
        #expect(sink.told == ["pictures h264", "ready", "streams h264 adts", "programs 1 Kanal-1"])
        // The last picture is complete when the next one begins.
        #expect((73...75).contains(sink.pictures.count) && sink.pictures.first?.unit.isRandomAccess == true)
        #expect(sink.soundTimes.count > 5 && sink.counters.historyOverruns == 0)
    }

    /// A program of one stream, component 1, and a packet for each of these ticks, 1 000 a second, at the pictures of a
    /// timeline with the number 128.
    private func carry(_ ticks: [(time: UInt32, stamp: Int64)]) -> [[UInt8]] {
        let streams = [ElementaryStream(type: 0x1B, pid: 0x100, componentTag: 1)]
        let association = PAT(transportStreamID: 1, programs: [PAT.Program(number: 1, mapPID: 0x1000)])
        let map = PMT(programNumber: 1, pcrPID: 0x100, streams: streams)
        func packet(_ pid: UInt16, _ counter: Int, _ field: [UInt8], _ payload: [UInt8]) -> [UInt8] {
            let head: [UInt8] = [0x47, 0x40 | UInt8(pid >> 8), UInt8(pid & 0xFF), 0x30 | UInt8(counter & 0xF)]
            let stuffing = [UInt8](repeating: 0xFF, count: 188 - 5 - field.count - payload.count)
            let length: [UInt8] = [UInt8(field.count + stuffing.count)]
            return [head, length, field, stuffing, payload].flatMap { $0 }
        }
        let tables = [
            packet(0, 0, [0], [0] + association.section(version: 0)),
            packet(0x1000, 0, [0], [0] + map.section(version: 0)),
        ]
        return tables
            + ticks.enumerated().map { number, tick in
                var pes = WireWriter()
                PESHeader.write(streamID: 0xE0, pts: tick.stamp, dts: nil, dataCount: 4, to: &pes)
                let time = (0..<4).map { UInt8(truncatingIfNeeded: tick.time >> UInt32(24 - 8 * $0)) }
                let timeline: [UInt8] = [0x04, 11, 0x40, 0x7F, 128, 0, 0, 0x03, 0xE8] + time
                let field: [UInt8] = [0x01, UInt8(timeline.count + 1), 0x0F] + timeline
                return packet(0x100, number, field, pes.bytes + [0, 0, 1, 9])
            }
    }

    /// TEMI: a timeline is told when it is found, and when it goes otherwise.
    @Test func timelinesOfAChannelAreTold() throws {
        let history = HistoryBuffer(span: .seconds(60), capacity: 1 << 20)
        let times: [(UInt32, Int64)] = [
            (5_000, 900_000), (5_040, 903_600), (5_081, 907_200), (6_000, 990_000), (9_000, 1_080_000),
            (9_040, 1_083_600), (9_900, 1_080_000),
        ]
        for (number, datagram) in carry(times).enumerated() {
            _ = datagram.withUnsafeBytes {
                history.append(
                    $0, arrival: at(60_000 + Int64(number) * 400), flags: number == 0 ? .randomAccess : [])
            }
        }
        let sink = RecordingSink()
        let reader = LiveProvider(history, arrived: Wakeup()).open(into: sink)
        #expect(try read(reader) == .waiting)
        // What comes within a second of the last word waits for the next.
        #expect(
            sink.told.filter { $0.hasPrefix("timeline") } == [
                "timeline 1:128 5000 at 900000", "timeline 1:128 9000 at 1080000",
            ])
        #expect(sink.counters.malformedUnits == 0)
    }

    /// One picture of H.264 a packet, with a time stamp or without, and sound behind it for a while.
    /// - Parameters:
    ///   - correction: of the clock, with the third picture.
    ///   - flag: what the record says of that.
    ///   - soundLeap: by how many ticks the sound's time stamps jump there.
    private func show(
        _ pictures: [(stamp: Int64?, stillFor: Int64)], correction: Nanoseconds = .zero,
        flag: HistoryBuffer.Flags = .clockCorrected, soundLeap: Int64 = 0, in history: HistoryBuffer
    ) {
        var offset = Nanoseconds.seconds(50)
        var multiplexer = TSMultiplexer(.init(provider: "Venue", name: "One"))
        var (now, isCorrected) = (Int64(0), false)
        func keep(
            _ write: (inout WireWriter) -> Void, isPoint: Bool = false, change: (inout [UInt8]) -> Void = { _ in }
        ) {
            var out = WireWriter()
            write(&out)
            var octets = out.bytes
            change(&octets)
            var flags: HistoryBuffer.Flags = isPoint ? .randomAccess : []
            if isCorrected { flags.insert(flag) }
            isCorrected = false
            _ = octets.withUnsafeBytes {
                history.append($0, arrival: at(60_000 + now), flags: flags, offset: offset)
            }
        }
        for (number, (stamp, stillFor)) in pictures.enumerated() {
            if number == 2, correction != .zero { (offset, isCorrected) = (offset + correction, true) }
            let pts = stamp ?? 900_000
            let picture: [UInt8] = [0, 0, 0, 1, 9, 0x10, 0, 0, 0, 1, 0x65, 0x88, 0x84]
            keep(
                { out in
                    picture.withUnsafeBytes {
                        multiplexer.writeVideo($0, pts: pts, isRandomAccess: true, clock: 900_000 * 300, to: &out)
                    }
                }, isPoint: number == 0
            ) { octets in
                // The flags of the PES header in the last packet, behind its adaptation field.
                let start = octets.count - 188
                let header = start + 5 + Int(octets[start + 4])
                if stamp == nil { octets[header + 7] &= 0x3F }
                // PES_packet_length: none, as most have it.
                (octets[header + 4], octets[header + 5]) = (0, 0)
            }
            for _ in stride(from: Int64(0), to: stillFor, by: 40) {
                now += 40
                keep({ out in
                    [0xFF, 0xF1, 0x4C, 0x80, 0x01, 0x1F, 0xFC].withUnsafeBytes {
                        let leap = number >= 1 ? soundLeap : 0
                        multiplexer.writeAudio($0, pts: 900_000 + now * 90 + leap, clock: 900_000 * 300, to: &out)
                    }
                })
            }
        }
    }

    /// What was read by the clock before belongs as much later.
    @Test(arguments: [1_400, -300, 10_000, 10_001]) func whatWasReadIsCorrectedWithTheClock(milliseconds: Int64) throws
    {
        let history = HistoryBuffer(span: .seconds(60), capacity: 1 << 20)
        let stamps: [Int64] = [900_000, 903_600, 907_200, 910_800]
        show(stamps.map { ($0, 40) }, correction: .milliseconds(milliseconds), in: history)
        let sink = RecordingSink()
        let reader = LiveProvider(history, arrived: Wakeup()).open(into: sink)
        #expect(try read(reader) == .waiting)
        let corrections: [Nanoseconds] = milliseconds > 10_000 ? [] : [.milliseconds(milliseconds)]
        #expect(sink.corrections.pictures == corrections && sink.corrections.sound == corrections)
    }

    /// Sound that has left its timeline is no reason to leave the pictures as they are.
    @Test func eachStreamIsCorrectedByItself() throws {
        let history = HistoryBuffer(span: .seconds(60), capacity: 1 << 20)
        let stamps: [Int64] = [900_000, 903_600, 907_200, 910_800]
        show(stamps.map { ($0, 40) }, correction: .milliseconds(300), soundLeap: 60 * 90_000, in: history)
        let sink = RecordingSink()
        let reader = LiveProvider(history, arrived: Wakeup()).open(into: sink)
        #expect(try read(reader) == .waiting)
        #expect(sink.corrections.pictures == [.milliseconds(300)] && sink.corrections.sound.isEmpty)
    }

    /// Long after the channel was opened, too: a clock that holds is corrected.
    @Test func whatWasReadIsCorrectedLater() throws {
        let history = HistoryBuffer(span: .seconds(60), capacity: 1 << 20)
        show(
            [(900_000, 40), (903_600, 12_000), (1_983_600, 40), (1_987_200, 40)], correction: .milliseconds(300),
            in: history)
        let sink = RecordingSink()
        let reader = LiveProvider(history, arrived: Wakeup()).open(into: sink)
        #expect(try read(reader) == .waiting)
        #expect(sink.corrections.pictures == [.milliseconds(300)] && sink.corrections.sound == [.milliseconds(300)])
        #expect(!sink.told.contains { $0.hasPrefix("timeline of") })
    }

    /// What follows without a stamp is due by the clock as it was corrected.
    @Test func whatHasNoStampIsCorrected() throws {
        let (history, sink) = (HistoryBuffer(span: .seconds(60), capacity: 1 << 20), RecordingSink())
        show([900_000, nil, nil, nil, nil].map { ($0, 40) }, correction: .milliseconds(300), in: history)
        let reader = LiveProvider(history, arrived: Wakeup()).open(into: sink)
        #expect(try read(reader) == .waiting)
        let times = sink.pictures.map { $0.time - sink.pictures[0].time }
        #expect(times == [0, 340, 380, 420].map(Nanoseconds.milliseconds))
    }

    /// The clock of another timeline corrects nothing, however near it is to the one before.
    @Test(arguments: [1_400, 100]) func anotherTimelineCorrectsNothing(milliseconds: Int64) throws {
        let history = HistoryBuffer(span: .seconds(60), capacity: 1 << 20)
        let stamps: [Int64] = [900_000, 903_600, 907_200, 910_800]
        show(stamps.map { ($0, 40) }, correction: .milliseconds(milliseconds), flag: .clockBegan, in: history)
        let sink = RecordingSink()
        let reader = LiveProvider(history, arrived: Wakeup()).open(into: sink)
        #expect(try read(reader) == .waiting)
        #expect(sink.corrections.pictures.isEmpty && sink.corrections.sound.isEmpty)
        // Units that go on as before are of the timeline before, where the two can be told apart.
        let changes = milliseconds > 300 ? 0 : 1
        #expect(sink.told.count { $0 == "timeline of pictures" } == changes)
        #expect(sink.told.count { $0 == "timeline of sound" } == changes)
    }

    /// `streams.md` 16: the picture of a slide show does not wait for the next one.
    @Test func aSlideIsReadBeforeTheNext() throws {
        let history = HistoryBuffer(span: .seconds(60), capacity: 1 << 20)
        show([(900_000, 5_000), (1_350_000, 400)], in: history)
        let sink = RecordingSink()
        let reader = LiveProvider(history, arrived: Wakeup()).open(into: sink)
        #expect(try read(reader) == .waiting)
        #expect(sink.pictures.map(\.unit.isAlone) == [true] && sink.counters.timestampJumps == 0)
        #expect(sink.pictures.map(\.unit.pts).first == 900_000)
    }

    /// `streams.md` 9, 10: a picture without a time stamp is decoded one picture behind the one before it.
    @Test func picturesWithoutTimeStamps() throws {
        let history = HistoryBuffer(span: .seconds(60), capacity: 1 << 20)
        let stamps: [Int64?] = [900_000, nil, nil, 905_400, nil, nil, 910_800, nil]
        show(stamps.map { ($0, 40) }, in: history)
        let sink = RecordingSink()
        let reader = LiveProvider(history, arrived: Wakeup()).open(into: sink)
        #expect(try read(reader) == .waiting)
        #expect(sink.pictures.map(\.unit.hasTimes) == stamps.dropLast().map { $0 != nil })
        // 25 pictures a second until more is known, and 50 from then on.
        #expect(
            sink.pictures.map(\.unit.pts) == [900_000, 903_600, 907_200, 905_400, 907_201, 909_000, 910_800],
            "the time of a picture that is sent already is not given again")
        #expect(sink.counters.unitsWithoutTime == 4)
    }

    /// Nothing that is due later than soon is read; where pictures find no room, sound that cannot wait is read all the
    /// same.
    @Test func aChannelIsReadWhenItIsWanted() throws {
        let history = HistoryBuffer(span: .seconds(60), capacity: 1 << 20)
        try receive(into: history, from: at(60_000))
        let sink = RecordingSink()
        sink.hasRoomForPictures = false
        let reader = LiveProvider(history, arrived: Wakeup()).open(into: sink)
        #expect(try reader.advance() == .waiting)
        sink.isUrgent = true
        #expect(try reader.advance() == .progressed)
        sink.isCatchingUp = true
        #expect(try reader.advance() == .waiting, "nobody hears sound that is past")
        (sink.isCatchingUp, sink.hasRoomForPictures) = (false, true)
        sink.horizon = at(61_000)
        #expect(try read(reader) == .waiting)
        #expect((20...30).contains(sink.pictures.count), "\(sink.pictures.count)")
    }

    /// A seek goes no further back than the history, and reads again from there.
    @Test func aChannelSeeks() throws {
        let history = HistoryBuffer(span: .seconds(60), capacity: 1 << 20)
        try receive(into: history, from: at(60_000))
        let sink = RecordingSink()
        let reader = LiveProvider(history, arrived: Wakeup()).open(into: sink)
        _ = try read(reader)
        let count = sink.pictures.count
        sink.forget()
        // The oldest point is of 60 s; what it shows is due a second later, and D behind that.
        #expect(
            reader.seek(to: .behindLive(.seconds(100)), from: Self.head, at: at(63_000))
                == .behindLive(.milliseconds(1_500)))
        #expect(try read(reader) == .waiting && sink.pictures.count == count)
        #expect(reader.seek(to: .behindLive(.zero), from: Self.head, at: at(63_000)) == .behindLive(.zero))
        #expect(reader.seek(to: .position(.zero), from: Self.head, at: at(63_000)) == .stay)
    }

    /// To follow another clock: as far from the place as was said, at the instant at which the next picture is due.
    @Test func bothAreShifted() throws {
        let history = HistoryBuffer(span: .seconds(60), capacity: 1 << 20)
        try receive(into: history, from: at(60_000))
        let channel = LiveProvider(history, arrived: Wakeup()).open(into: RecordingSink())
        _ = try read(channel)
        var head = Self.head
        head.seek(behindLive: .milliseconds(800), epoch: 1, at: at(63_000))
        let ahead = channel.seek(to: .shifted(.milliseconds(300)), from: head, at: at(63_000))
        #expect(ahead == .behindLive(.milliseconds(500)))
        let behind = channel.seek(to: .shifted(.milliseconds(-300)), from: head, at: at(63_000))
        #expect(behind == .behindLive(.milliseconds(1_100)))
        // While it is paused, live goes on without it.
        head.pause(at: at(63_000))
        let paused = channel.seek(to: .shifted(.milliseconds(-300)), from: head, at: at(63_400))
        #expect(paused == .behindLive(.milliseconds(1_500)))

        let sink = RecordingSink()
        let file = try FileProvider(path: Self.clip).open(into: sink)
        _ = try read(file)
        let first = try #require(sink.pictures.map(\.time).min())
        var place = PlaybackClockControl(playoutDelay: Self.delay, isLive: false)
        place.anchor(first, at: at(60_000))
        let move = file.seek(to: .shifted(.milliseconds(200)), from: place, at: at(61_000))
        guard case .anchor(let time, let due) = move else {
            Issue.record("\(move)")
            return
        }
        let (reached, elapsed): (Nanoseconds, Nanoseconds) = (time - first, due - at(60_200))
        let off: Nanoseconds = reached - elapsed - .milliseconds(400)
        #expect(off.magnitude <= .milliseconds(1))
    }

    /// What was to be read next has been overwritten: the clock goes to the oldest that can be played, if it is before it
    /// (`sync.md` F1).
    @Test func aChannelThatRanAway() throws {
        let history = HistoryBuffer(span: .milliseconds(3_500), capacity: 1 << 20)
        let sink = RecordingSink()
        let reader = LiveProvider(history, arrived: Wakeup()).open(into: sink)
        try receive(into: history, from: at(60_000))
        #expect(try reader.advance() == .progressed)
        for second in [63, 66, 69] as [Int64] { try receive(into: history, from: at(second * 1_000)) }
        #expect(try reader.advance() == .overtaken && sink.counters.historyOverruns == 1)
        // The oldest point is of 69 s; what it shows is due a second later, and D behind that.
        var head = Self.head
        head.pause(at: at(60_500))
        head.play(at: at(72_000))
        #expect(reader.reread(from: head, at: at(72_000)) == .behindLive(.milliseconds(1_500)))
        #expect(try read(reader) == .waiting && sink.counters.historyOverruns == 1)
        #expect(sink.pictures.first?.unit.isRandomAccess == true)
        // A reader that was slow while its clock was not goes on where the clock is.
        #expect(reader.reread(from: Self.head, at: at(72_000)) == .stay)
    }
}
