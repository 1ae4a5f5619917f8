// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing
import Time
import TransportStream
import Venue

@testable import Reception

/// Codings other than H.264 and AAC: what is sent is in the history as a transport stream of that coding.
struct ElementaryCodingTests {
    private static func medium(_ coding: ElementaryMedium.Coding, clockRate: Int) -> ElementaryMedium {
        ElementaryMedium(address: "239.1.1.1", port: 5_004, payloadType: 96, clockRate: clockRate, coding: coding)
    }

    private static func octets(_ count: Int) -> [UInt8] { [UInt8](repeating: 0x55, count: count) }

    private struct Sound {
        let coding: ElementaryMedium.Coding
        let codec: StreamCodec
        let clockRate: Int
        /// Of one unit.
        let payload: [UInt8]
        /// Octets that the transport stream has of it.
        let size: Int
    }

    private static let sounds = [
        // With 45 bits of description before the length and the payload.
        Sound(
            coding: .latm(configuration: [0x40, 0, 0x23, 0x20, 0x3F, 0xC0]), codec: .latm, clockRate: 48_000,
            payload: [200] + octets(200), size: 3 + 6 + 201),
        Sound(coding: .latm(configuration: nil), codec: .latm, clockRate: 48_000, payload: octets(200), size: 203),
        Sound(
            coding: .mpegAudio, codec: .mpegAudio, clockRate: 90_000,
            payload: [0, 0, 0, 0, 0xFF, 0xFD, 0xA4, 0x04] + octets(572), size: 576),
        Sound(
            coding: .ac3, codec: .ac3, clockRate: 48_000, payload: [0, 1, 0x0B, 0x77] + octets(500), size: 502),
        Sound(coding: .opus, codec: .opus, clockRate: 48_000, payload: [0xFC] + octets(300), size: 301),
    ]

    @Test(arguments: sounds.indices) func sound(index: Int) {
        let sound = Self.sounds[index]
        let bench = ElementaryBench([Self.medium(sound.coding, clockRate: sound.clockRate)])
        let ticks = sound.clockRate / 50
        for number in 0..<100 {
            bench.send(
                sound.payload, of: 0, marker: true, sequence: UInt16(number), timestamp: UInt32(number * ticks))
            bench.now += .milliseconds(20)
        }
        let found = bench.found()
        #expect(found.program?.audio?.codec == sound.codec && found.program?.video == nil)
        #expect(found.program?.audio?.channels == (sound.codec == .opus ? 2 : 0))
        #expect(found.audio.count == 100 && found.audio.allSatisfy { $0.octets == sound.size && !$0.isDamaged })
        let times = found.audio.compactMap(\.pts)
        #expect(zip(times, times.dropFirst()).allSatisfy { $1 - $0 == 1_800 })
        #expect(bench.receiver.counters.malformedDatagrams == 0)
    }

    private struct Pictures {
        let coding: ElementaryMedium.Coding
        let codec: StreamCodec
        let entry: [UInt8]
        let other: [UInt8]
        /// Of the five pictures before the first entry point, those that are kept.
        let kept: Int
    }

    private static let sequence = [UInt8](
        hexadecimal: "420101016000000300900000030000030078a003c08010e5964a924caf016808000003000800000300c840")
    private static let header: [UInt8] = [0, 0, 1, 0xB3, 0x28, 0x01, 0x68, 0x13, 0xFF, 0xFF, 0xE0, 0x18]
    private static let videos = [
        // Its sets are in the description alone.
        Pictures(
            coding: .hevc(parameterSets: [[0x40, 1, 0x0C], sequence, [0x44, 1, 0xC0]]), codec: .hevc,
            entry: [0x26, 1, 0xAF] + octets(900), other: [0x02, 1, 0xAF] + octets(900), kept: 5),
        Pictures(
            coding: .mpegVideo, codec: .mpeg2Video,
            entry: [0, 0, 0x20, 0] + header + [0, 0, 1, 0, 0, 0x0F, 0xFF, 0xF8, 0, 0, 1, 1] + octets(900),
            other: [0, 0, 0, 0, 0, 0, 1, 0, 0, 0x57, 0xFF, 0xF8, 0, 0, 1, 1] + octets(900), kept: 0),
    ]

    /// The first pictures are those of a group whose beginning was missed. Announced parameter sets begin the stream with
    /// them: whoever plays it may have to wait long for an entry point.
    @Test(arguments: videos.indices) func pictures(index: Int) throws {
        let video = Self.videos[index]
        let bench = ElementaryBench([Self.medium(video.coding, clockRate: 90_000)])
        for number in 0..<80 {
            bench.send(
                number % 25 == 5 ? video.entry : video.other, of: 0, marker: true, sequence: UInt16(number),
                timestamp: UInt32(number * 3_600))
            bench.receiver.tick(at: bench.now)
            bench.now += .milliseconds(40)
        }
        let found = bench.found()
        #expect(found.program?.video?.codec == video.codec && found.program?.audio == nil)
        // The last of MPEG video ends where the next would begin.
        #expect((74...75).contains(found.video.count - video.kept) && found.video.allSatisfy { !$0.isDamaged })
        #expect(found.video.enumerated().allSatisfy { $1.isRandomAccess == ($0 % 25 == video.kept) })
        let times = found.video.compactMap(\.pts)
        #expect(zip(times, times.dropFirst()).allSatisfy { $1 - $0 == 3_600 })
        let counters = bench.receiver.counters
        // What begins with parameter sets counts.
        #expect(counters.randomAccessPoints == (video.kept > 0 ? 4 : 3))
        #expect(counters.tsDiscontinuities == 0 && counters.clockJumps == 0)
    }
}
