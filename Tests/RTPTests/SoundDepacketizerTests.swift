// SPDX-License-Identifier: Apache-2.0
import Bytes
import TestSupport
import Testing
import Venue

@testable import RTP

/// Codings whose units are fragmented by other means than those of mpeg4-generic.
@Suite struct SoundDepacketizerTests {
    private var session = Session()

    private static func octets(_ count: Int) -> [UInt8] { (0..<count).map { UInt8(truncatingIfNeeded: $0 &+ count) } }

    private func frames(
        _ coding: ElementaryMedium.Coding, clockRate: Int = 48_000
    ) throws -> (units: [Session.Unit], counters: DepacketizerCounters) {
        var depacketizer = try SoundDepacketizer(coding, clockRate: clockRate)
        let units = Session.frames(session.packets, of: &depacketizer)
        return (units, depacketizer.counters)
    }

    // MARK: LATM

    /// ffmpeg's of AAC-LC, 48 000 Hz, 2 channels; GStreamer's of the same, which ends in the middle.
    private static let ffmpegConfig = [UInt8](hexadecimal: "400023203fc0")
    private static let gstreamerConfig = [UInt8](hexadecimal: "40002320adca00")

    /// The 45 bits before a payload: useSameStreamMux 0 and ffmpeg's configuration, by hand.
    private static let head: [UInt8] = [0x20, 0, 0x11, 0x90, 0x1F, 0xE0]

    /// A LOAS frame: the head, and the payload's length and octets moved by five bits.
    private static func framed(_ payload: [UInt8]) -> [UInt8] {
        let lengths = [UInt8](repeating: 0xFF, count: payload.count / 255) + [UInt8(payload.count % 255)]
        var element = head
        for octet in lengths + payload {
            element[element.count - 1] |= octet >> 5
            element.append(octet << 3)
        }
        return [0x56, 0xE0 | UInt8(element.count >> 8), UInt8(element.count & 0xFF)] + element
    }

    private static func element(_ payload: [UInt8]) -> [UInt8] {
        [UInt8](repeating: 0xFF, count: payload.count / 255) + [UInt8(payload.count % 255)] + payload
    }

    @Test(arguments: [ffmpegConfig, gstreamerConfig]) mutating func framesElementsWithTheirDescription(
        config: [UInt8]
    ) throws {
        session.send(Self.element(Self.octets(10)), at: 0xFFFF_FF00, marker: true)
        session.send(Self.element(Self.octets(255)), at: 768, marker: true)
        let (units, counters) = try frames(.latm(configuration: config))
        #expect(units.map(\.bytes) == [10, 255].map { Self.framed(Self.octets($0)) })
        #expect(units.map(\.unit.timestamp) == [0xFFFF_FF00, 768] && counters.malformedPackets == 0)
    }

    @Test mutating func joinsFragmentsOfElements() throws {
        let whole = Self.element(Self.octets(700))
        session.send(Array(whole[..<1]), at: 5)  // within the length
        session.send(Array(whole[1..<400]), at: 5)
        session.send(Array(whole[400...]), at: 5, marker: true)
        let (units, _) = try frames(.latm(configuration: Self.ffmpegConfig))
        #expect(units.map(\.bytes) == [Self.framed(Self.octets(700))])
    }

    @Test(arguments: 0..<3) mutating func aLostFragmentCostsItsElement(lost: Int) throws {
        let whole = Self.element([UInt8](repeating: 3, count: 300))
        session.send(Self.element(Self.octets(9)), at: 0, marker: true)
        for part in [whole[..<100], whole[100..<200], whole[200...]] {
            session.send(Array(part), at: 1_024, marker: part.endIndex == whole.count)
        }
        session.send(Self.element(Self.octets(9)), at: 2_048, marker: true)
        session.packets.remove(at: 1 + lost)
        let (units, counters) = try frames(.latm(configuration: Self.ffmpegConfig))
        #expect(units.map(\.unit.timestamp) == [0, 2_048] && units.map(\.unit.followsLoss) == [false, true])
        #expect(counters.lostPackets == 1)
    }

    /// numSubFrames 1: two payloads in each element.
    @Test mutating func dividesElementsOfSeveralPayloads() throws {
        var config = Self.ffmpegConfig
        config[0] |= 1
        session.send(Self.element(Self.octets(20)) + Self.element(Self.octets(30)), at: 7, marker: true)
        let (units, _) = try frames(.latm(configuration: config), clockRate: 96_000)
        #expect(units.map(\.bytes) == [20, 30].map { Self.framed(Self.octets($0)) })
        let timestamps: [UInt32] = units.map(\.unit.timestamp)
        #expect(timestamps == [7, 2_055])
    }

    /// With `cpresent=1` an element is what LOAS frames.
    @Test mutating func framesElementsThatDescribeThemselves() throws {
        session.send(Self.octets(300), at: 0, marker: true)
        let (units, _) = try frames(.latm(configuration: nil))
        #expect(units.map(\.bytes) == [[0x56, 0xE1, 0x2C] + Self.octets(300)])
        session.packets.removeAll()
        for _ in 0..<9 { session.send(Self.octets(1_000), at: 3) }
        session.send([1], at: 3, marker: true)
        let (others, counters) = try frames(.latm(configuration: nil))
        #expect(others.isEmpty && counters.oversizedUnits == 1)  // 13 bits of length
    }

    /// Version 1 with its lengths; spectral band replication before the core: of 24 000 Hz, 25 bits of configuration.
    @Test func readsOtherDescriptions() throws {
        let first = try StreamMuxConfig.read([UInt8](hexadecimal: "8ff80001011901fe00"))
        #expect(first.audio.sampleRate == 48_000 && first.head == Self.head && first.headBits == 45)
        let second = try StreamMuxConfig.read([UInt8](hexadecimal: "40005623101fe0"))
        #expect(second.audio.saysReplication && second.audio.sampleRate == 24_000 && second.headBits == 54)
        #expect(second.head == [UInt8](hexadecimal: "20002b11880ff0"))
    }

    /// Several programs, several layers, an object type that is not AAC-LC, 960 samples, channels described elsewhere.
    @Test(arguments: ["401023203fc0", "400223203fc0", "400013203fc0", "400023283fc0", "400023003fc0", "c0", ""])
    func refusesTheDescription(text: String) {
        #expect(throws: WireError.self) { try StreamMuxConfig.read([UInt8](hexadecimal: text)) }
    }

    // MARK: MPEG audio

    /// Layer II, 192 kbit/s, 48 000 Hz: 576 octets.
    private static let frame: [UInt8] = [0xFF, 0xFD, 0xA4, 0x04] + octets(572)

    @Test mutating func takesFramesOfMPEGAudio() throws {
        session.send([0, 0, 0, 0] + Self.frame + Self.frame, at: 1)
        session.send([0, 0, 0, 0] + Self.frame[..<300], at: 2, marker: true)
        session.send([0, 0, 1, 0x2C] + Self.frame[300...], at: 2)
        let (units, counters) = try frames(.mpegAudio, clockRate: 90_000)
        #expect(units.map(\.bytes) == [Self.frame + Self.frame, Self.frame])
        #expect(units.map(\.unit.timestamp) == [1, 2] && counters.droppedUnits == 0)
    }

    @Test(arguments: 0..<3) mutating func aLostFragmentCostsItsFrame(lost: Int) throws {
        session.send([0, 0, 0, 0] + Self.frame, at: 1)
        for start in [0, 200, 400] {
            let part = Self.frame[start..<min(start + 200, Self.frame.count)]
            session.send([0, 0, UInt8(start >> 8), UInt8(start & 0xFF)] + part, at: 2)
        }
        session.send([0, 0, 0, 0] + Self.frame, at: 3)
        session.packets.remove(at: 1 + lost)
        let (units, _) = try frames(.mpegAudio, clockRate: 90_000)
        #expect(units.map(\.unit.timestamp) == [1, 3] && units.map(\.unit.followsLoss) == [false, true])
    }

    /// By hand from the tables of the standards.
    @Test(
        arguments: [
            ("fffda404", 576), ("fffba464", 480), ("fffb9064", 417), ("fffb9264", 418), ("ffff8064", 276),
            ("fff384c4", 192), ("ffe384c4", 384), ("fff58064", 417), ("fffd0064", nil),
        ] as [(String, Int?)])
    func knowsTheLengthOfAFrame(text: String, octets: Int?) throws {
        #expect(try MPEGAudioHeader.read([UInt8](hexadecimal: text)).octets == octets)
    }

    @Test(arguments: ["fffdf404", "fffdac04", "ffeda404", "fff9a404", "7ffda404", "fffda4"])
    func refusesWhatIsNoHeader(text: String) {
        #expect(throws: WireError.self) { try MPEGAudioHeader.read([UInt8](hexadecimal: text)) }
    }

    // MARK: AC-3 and Opus

    private static let sync: [UInt8] = [0x0B, 0x77]

    @Test mutating func takesFramesOfAC3() throws {
        session.send([0, 2] + Self.sync + Self.octets(90), at: 1, marker: true)
        session.send([1, 3] + Self.sync + Self.octets(90), at: 2)
        session.send([3, 3] + Self.octets(80), at: 2)
        session.send([3, 3] + Self.octets(70), at: 2, marker: true)
        session.send([2, 2] + Self.sync, at: 3)
        session.send([0, 1] + Self.sync + [1], at: 4, marker: true)
        let (units, counters) = try frames(.ac3)
        let whole = Self.sync + Self.octets(90)
        let expected: [[UInt8]] = [whole, whole + Self.octets(80) + Self.octets(70), Self.sync + [1]]
        #expect(units.map(\.bytes) == expected)
        #expect(units.map(\.unit.followsLoss) == [false, false, true] && counters.droppedUnits == 1)
    }

    @Test mutating func takesPacketsOfOpus() throws {
        session.send([0xFC] + Self.octets(300), at: 5)
        session.send([], at: 6)
        session.send([0xFC], at: 965, marker: true)
        let (units, counters) = try frames(.opus)
        #expect(units.map(\.bytes) == [[0xFC] + Self.octets(300), [0xFC]])
        #expect(units.map(\.unit.timestamp) == [5, 965] && counters.malformedPackets == 0)
    }

    // MARK: Bad input

    private static let all: [(coding: ElementaryMedium.Coding, payloads: [[UInt8]])] = [
        (.latm(configuration: ffmpegConfig), [element(octets(40)), element(octets(300))]),
        (.latm(configuration: nil), [octets(40)]), (.mpegAudio, [[0, 0, 0, 0] + frame, [0, 0, 0, 0] + frame[..<99]]),
        (.ac3, [[0, 1] + sync + octets(9), [1, 2] + sync + octets(9), [3, 2] + octets(9)]), (.opus, [octets(40)]),
    ]

    /// The unit behind the one that was cut is whole.
    @Test(arguments: all.indices) func everyTruncationCostsItsPacket(index: Int) throws {
        let (coding, payloads) = Self.all[index]
        for count in 0..<payloads[0].count {
            var session = Session()
            session.send(Array(payloads[0][..<count]), at: 0, marker: true)
            session.send(payloads[0], at: 1_024, marker: true)
            var depacketizer = try SoundDepacketizer(coding)
            let units = Session.frames(session.packets, of: &depacketizer)
            let expected = units.last?.unit.timestamp == 1_024 && units.count <= 2
            #expect(expected, "\(coding) cut after \(count) octets")
        }
    }

    @Test func staysWithinDamagedBytes() throws {
        for seed in 0..<Mutation.count() {
            var mutation = Mutation(seed: UInt64(seed))
            let (coding, payloads) = Self.all[seed % Self.all.count]
            var session = Session()
            for (index, payload) in (payloads + payloads).enumerated() {
                session.send(payload, at: UInt32(index / 2), marker: index % 2 == 1)
            }
            var depacketizer = try SoundDepacketizer(coding)
            let units = Session.frames(session.packets.map { mutation.damage($0) }, of: &depacketizer)
            #expect(units.allSatisfy { (1...16_384).contains($0.bytes.count) })
        }
    }

    @Test(arguments: Effort.seeds(200)) func damagedDescriptionsNeverTrap(seed: UInt64) {
        var mutation = Mutation(seed: seed)
        for config in [Self.ffmpegConfig, Self.gstreamerConfig, [UInt8](hexadecimal: "40005623101fe0")] {
            let octets = mutation.damage(config)
            if let read = try? StreamMuxConfig.read(octets) { #expect(read.headBits <= 8 * read.head.count) }
        }
    }
}

extension StreamMuxConfig {
    fileprivate static func read(_ octets: [UInt8]) throws(WireError) -> StreamMuxConfig {
        try octets.withOctets { (bytes) throws(WireError) in try StreamMuxConfig(bytes) }
    }
}

extension MPEGAudioHeader {
    fileprivate static func read(_ octets: [UInt8]) throws(WireError) -> MPEGAudioHeader {
        try octets.withOctets { (bytes) throws(WireError) in
            var reader = WireReader(bytes)
            return try MPEGAudioHeader(from: &reader)
        }
    }
}
