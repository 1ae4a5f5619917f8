// SPDX-License-Identifier: Apache-2.0
import Bytes
import Testing
import Time
import Timelines
import TransportStream

@testable import Reception

/// Packets made by hand, so that each says one thing.
@Suite struct ProgramTimingTests {
    private static let video: UInt16 = 0x100
    private static let audio: UInt16 = 0x101
    private static let clock: UInt16 = 0x1FF
    private static let origin = Monotonic(nanoseconds: 1_000_000_000)

    private static func program(hasVideo: Bool) -> Program {
        let streams =
            (hasVideo ? [ElementaryStream(type: 0x1B, pid: video)] : []) + [ElementaryStream(type: 0x0F, pid: audio)]
        return Program(number: 1, mapPID: 0x1000, pcrPID: clock, streams: streams)
    }

    private static func reference(_ time: Nanoseconds) -> [UInt8] {
        let ticks = TickRate.programClock.ticks(time)
        let field = UInt64(ticks / 300) << 15 | 0x7E00 | UInt64(ticks % 300)
        let octets = (0..<6).map { UInt8(truncatingIfNeeded: field >> (40 - 8 * UInt64($0))) }
        return [0x47, 0x01, 0xFF, 0x20, 183, 0x10] + octets + [UInt8](repeating: 0xFF, count: 176)
    }

    /// - Parameter length: PES_packet_length.
    private static func unit(on pid: UInt16, _ time: Nanoseconds, length: UInt8 = 0) -> [UInt8] {
        let ticks = UInt64(TickRate.mpeg.ticks(time))
        let stamp: [UInt8] = [
            0x21 | UInt8(ticks >> 29 & 0xE), UInt8(ticks >> 22 & 0xFF), UInt8(ticks >> 14 & 0xFE) | 1,
            UInt8(ticks >> 7 & 0xFF), UInt8(ticks << 1 & 0xFE) | 1,
        ]
        let start: [UInt8] = [0x47, 0x40 | UInt8(pid >> 8), UInt8(pid & 0xFF), 0x10]
        let head = start + [0, 0, 1, 0xE0, 0, length, 0x80, 0x80, 5]
        return head + stamp + [UInt8](repeating: 0, count: 188 - head.count - stamp.count)
    }

    private static func give(
        _ bytes: [UInt8], at time: Nanoseconds, to timing: inout ProgramTiming, _ program: Program
    ) throws {
        try bytes.withUnsafeBytes {
            timing.packetReceived(try TSPacket($0), in: $0, at: origin + time) { program }
        }
    }

    /// Of a radio program the audio's units are the ones that must be complete in time.
    @Test(arguments: [true, false]) func takesVideoOrElseAudio(hasVideo: Bool) throws {
        let program = Self.program(hasVideo: hasVideo)
        var timing = ProgramTiming()
        try Self.give(Self.unit(on: 0x1000, .zero), at: .zero, to: &timing, program)
        for tick in 0..<50 as Range<Int64> {
            let now = Nanoseconds.milliseconds(tick * 40)
            try Self.give(Self.reference(now), at: now, to: &timing, program)
            try Self.give(Self.unit(on: Self.video, now + .milliseconds(140)), at: now, to: &timing, program)
            try Self.give(Self.unit(on: Self.audio, now + .milliseconds(540)), at: now, to: &timing, program)
        }
        // Complete where the next begins: 40 ms later than it began.
        let slack: Nanoseconds = hasVideo ? .milliseconds(100) : .milliseconds(500)
        #expect((timing.clock.statistics.slack - slack).magnitude < .milliseconds(41))
        let offset = try #require(timing.clock.correlation?.offset)
        let expected = Nanoseconds(Self.origin.nanoseconds) - timing.clock.statistics.slack
        #expect((offset - expected).magnitude < .microseconds(50))
    }

    /// A picture of a slide show is complete when nothing has come behind it for half a second, or for a tenth behind all
    /// that it has announced (`streams.md` 16).
    @Test(arguments: [(0, 540, 500), (178, 940, 850)] as [(UInt8, Int64, Int64)])
    func aPictureOfASlideShowIsCompleteBeforeTheNext(length: UInt8, sound: Int64, slack: Int64) throws {
        let program = Self.program(hasVideo: true)
        var timing = ProgramTiming()
        try Self.give(Self.unit(on: 0x1000, .zero), at: .zero, to: &timing, program)
        for tick in 0..<400 as Range<Int64> {
            let now = Nanoseconds.milliseconds(tick * 40)
            try Self.give(Self.reference(now), at: now, to: &timing, program)
            if tick % 125 == 0 {
                let picture = Self.unit(on: Self.video, now + .seconds(1), length: length)
                try Self.give(picture, at: now, to: &timing, program)
            }
            try Self.give(Self.unit(on: Self.audio, now + .milliseconds(sound)), at: now, to: &timing, program)
        }
        #expect((timing.clock.statistics.slack - .milliseconds(slack)).magnitude < .milliseconds(60))
    }

    /// ffmpeg sends a third of a second of sound in one PES packet, behind the pictures of its last instant; a broadcast
    /// multiplexer sends pictures seconds before their sound. The length of a packet may be left out.
    @Test(
        arguments: [(-150, 100), (-50, 0), (150, -200), (470, -500), (870, -900), (4_870, -4_900)] as [(Int64, Int64)])
    func waitsForSoundThatComesLater(late: Int64, slack: Int64) throws {
        let program = Self.program(hasVideo: true)
        for isAnnounced in [true, false] {
            var timing = ProgramTiming()
            try Self.give(Self.unit(on: 0x1000, .zero), at: .zero, to: &timing, program)
            for tick in 125..<175 as Range<Int64> {
                let now = Nanoseconds.milliseconds(tick * 40)
                try Self.give(Self.reference(now), at: now, to: &timing, program)
                try Self.give(Self.unit(on: Self.video, now + .milliseconds(140)), at: now, to: &timing, program)
                let sound = Self.unit(on: Self.audio, now - .milliseconds(late), length: isAnnounced ? 178 : 0)
                try Self.give(sound, at: now, to: &timing, program)
            }
            let found = timing.clock.statistics.slack
            // Complete where the next begins: 40 ms later, which may be one more step of 100 ms.
            let least: Nanoseconds = isAnnounced ? .milliseconds(slack - 41) : .milliseconds(slack - 101)
            #expect(found > least && found < .milliseconds(slack + 41), "\(found)")
        }
    }

    /// The same unit in two packets, of which the first has so many octets of it.
    private static func split(_ packet: [UInt8], after octets: Int) -> [[UInt8]] {
        let data = packet.dropFirst(4)
        return [data.prefix(octets), data.dropFirst(octets)].enumerated().map { number, part in
            let stuffing = 183 - part.count
            let head = [0x47, number == 0 ? packet[1] : packet[1] & 0xBF, packet[2], 0x30, UInt8(stuffing)]
            return head + (stuffing == 0 ? [] : [0] + [UInt8](repeating: 0xFF, count: stuffing - 1)) + part
        }
    }

    /// Sound that goes on behind what it has announced is complete where the next unit begins, the first one too.
    @Test func soundThatGoesOnIsNotComplete() throws {
        let program = Self.program(hasVideo: true)
        var timing = ProgramTiming()
        try Self.give(Self.unit(on: 0x1000, .zero), at: .zero, to: &timing, program)
        for tick in 125..<137 as Range<Int64> {
            let now = Nanoseconds.milliseconds(tick * 40)
            try Self.give(Self.reference(now), at: now, to: &timing, program)
            try Self.give(Self.unit(on: Self.video, now + .seconds(2)), at: now, to: &timing, program)
            switch tick {
            case 125, 135:
                try Self.give(Self.unit(on: Self.audio, now + .seconds(1), length: 100), at: now, to: &timing, program)
            case 130:
                var rest = Self.unit(on: Self.audio, .zero)
                rest[1] &= 0xBF
                try Self.give(rest, at: now, to: &timing, program)
            default: break
            }
        }
        // Complete 400 ms later than what it announced; for all but a step of 100 ms the clock waits.
        #expect((timing.clock.statistics.slack - .milliseconds(600)).magnitude < .milliseconds(1))
    }

    /// PES headers may extend over two packets.
    @Test(arguments: [1, 6, 9, 12]) func headersExtendOverPackets(octets: Int) throws {
        let program = Self.program(hasVideo: true)
        var timing = ProgramTiming()
        try Self.give(Self.unit(on: 0x1000, .zero), at: .zero, to: &timing, program)
        for tick in 125..<175 as Range<Int64> {
            let now = Nanoseconds.milliseconds(tick * 40)
            try Self.give(Self.reference(now), at: now, to: &timing, program)
            let units = [
                Self.unit(on: Self.video, now + .milliseconds(140)),
                Self.unit(on: Self.audio, now - .milliseconds(470), length: 178),
            ]
            for packet in units.flatMap({ Self.split($0, after: octets) }) {
                try Self.give(packet, at: now, to: &timing, program)
            }
        }
        let found = timing.clock.statistics.slack
        #expect(found > .milliseconds(-541) && found < .milliseconds(-459), "\(found)")
    }

    /// A unit whose end may have been lost was not complete where the one after next began.
    @Test func lossForgetsTheUnit() throws {
        let program = Self.program(hasVideo: true)
        var timing = ProgramTiming()
        try Self.give(Self.unit(on: 0x1000, .zero), at: .zero, to: &timing, program)
        try Self.give(Self.unit(on: Self.video, .zero), at: .zero, to: &timing, program)
        timing.packetsLost()
        try Self.give(Self.unit(on: Self.video, .milliseconds(80)), at: .milliseconds(80), to: &timing, program)
        #expect(timing.clock.correlation == nil)
        try Self.give(Self.unit(on: Self.video, .milliseconds(120)), at: .milliseconds(120), to: &timing, program)
        #expect(timing.clock.correlation != nil)
    }
}
