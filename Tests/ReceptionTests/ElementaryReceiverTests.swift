// SPDX-License-Identifier: Apache-2.0
import Bytes
import Media
import RTP
import TestSupport
import Testing
import Time
import TransportStream
import Venue

@testable import Reception

/// What a demultiplexer finds in a history.
private struct Found: AccessUnitSink {
    struct Unit: Equatable {
        let pts: UInt64?
        let octets: Int
        let isRandomAccess: Bool
        let isDamaged: Bool
    }

    var video: [Unit] = []
    var audio: [Unit] = []

    mutating func programChanged(_ program: Program?) {}
    mutating func eventsChanged(_ events: PresentFollowing) {}
    mutating func videoUnit(_ unit: PESUnit, in bytes: UnsafeRawBufferPointer) {
        video.append(
            Unit(
                pts: unit.pts, octets: bytes.count, isRandomAccess: unit.isRandomAccess, isDamaged: unit.isDamaged))
    }
    mutating func audioUnit(_ unit: PESUnit, in bytes: UnsafeRawBufferPointer) {
        audio.append(
            Unit(pts: unit.pts, octets: bytes.count, isRandomAccess: true, isDamaged: unit.isDamaged))
    }
}

/// Pictures of 1 600 octets in two packets each and AAC of 300 octets, as a sender paces them.
private final class Bench {
    static let sets: [[UInt8]] = [
        // x264's of 640×360, without reordering.
        [
            0x67, 0x42, 0xc0, 0x1e, 0xda, 0x02, 0x80, 0xbf, 0xe5, 0xc0, 0x44, 0x00, 0x00, 0x03, 0x00, 0x04, 0x00, 0x00,
            0x03, 0x00, 0xca, 0x3c, 0x58, 0xba, 0x80,
        ],
        [0x68, 0xce, 0x0f, 0xc8],
    ]
    static let video = ElementaryMedium(
        address: "239.1.1.1", port: 5_004, controlPort: 5_005, payloadType: 96, clockRate: 90_000,
        coding: .h264(parameterSets: sets))
    static let audio = ElementaryMedium(
        address: "239.1.1.1", port: 5_006, controlPort: 5_007, payloadType: 97, clockRate: 48_000,
        coding: .aac(
            ElementaryMedium.AACFormat(
                configuration: [0x11, 0x90], sizeLength: 13, indexLength: 3, indexDeltaLength: 3)))

    let history = HistoryBuffer(span: .seconds(30), capacity: 4 << 20)
    let receiver: ElementaryReceiver
    let media: [ElementaryMedium]
    var now = Monotonic(nanoseconds: 50_000_000_000)
    var pictureSequence: UInt16 = 65_530
    var soundSequence: UInt16 = 7

    init(_ media: [ElementaryMedium] = [video, audio]) {
        self.media = media
        receiver = ElementaryReceiver(media, into: history)
    }

    func send(_ payload: [UInt8], of medium: Int, marker: Bool, sequence: UInt16, timestamp: UInt32) {
        var out = WireWriter()
        RTPHeader.write(
            payloadType: media[medium].payloadType, hasMarker: marker, sequence: sequence, timestamp: timestamp,
            ssrc: UInt32(medium) + 5, to: &out)
        out.write(contentsOf: payload)
        out.bytes.withUnsafeBytes { receiver.datagramReceived($0, of: medium, at: now) }
    }

    /// - Parameter lost: which of its two packets does not come.
    func sendPicture(_ number: Int, isKey: Bool, lost: Int? = nil) {
        let header: UInt8 = isKey ? 0x65 : 0x41
        for part in 0..<2 {
            let flags: UInt8 = (part == 0 ? 0x80 : 0x40) | header & 0x1F
            let front: [UInt8] = [header & 0x60 | 28, flags] + (part == 0 ? [0x88] : [])
            if lost != part {
                send(
                    front + [UInt8](repeating: 0x55, count: 800), of: 0, marker: part == 1, sequence: pictureSequence,
                    timestamp: 4_294_960_000 &+ UInt32(number * 3_600))
            }
            pictureSequence &+= 1
        }
    }

    func sendSound(_ number: Int, of medium: Int = 1) {
        let size = 300
        let front: [UInt8] = [0, 16, UInt8(size >> 5), UInt8(size << 3 & 0xFF)]
        send(
            front + [UInt8](repeating: 0xAA, count: size), of: medium, marker: true, sequence: soundSequence,
            timestamp: 77 &+ UInt32(number * 1_024))
        soundSequence &+= 1
    }

    /// A second each of pictures with sound, from one random-access point to the next.
    func play(seconds: Int, losing lost: Int? = nil, of picture: Int = -1) {
        for number in 0..<seconds * 25 {
            sendPicture(number, isKey: number % 25 == 0, lost: number == picture ? lost : nil)
            if media.count > 1 {
                for sound in number * 48 * 40 / 1_024..<(number + 1) * 48 * 40 / 1_024 { sendSound(sound) }
            }
            receiver.tick(at: now)
            now += .milliseconds(40)
        }
    }

    func found() -> Found {
        var found = Found()
        var demultiplexer = TSDemultiplexer()
        var cursor = history.oldest
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: history.largestRecord, alignment: 8)
        defer { buffer.deallocate() }
        while case .record(let record) = history.read(&cursor, into: buffer) {
            demultiplexer.push(datagram: UnsafeRawBufferPointer(rebasing: buffer[..<record.octets]), to: &found)
        }
        return found
    }
}

struct ElementaryReceiverTests {
    @Test func becomesATransportStream() throws {
        let bench = Bench()
        bench.play(seconds: 4)
        let found = bench.found()
        #expect(found.video.count == 100 && found.audio.count > 180)
        #expect(found.video.allSatisfy { !$0.isDamaged })
        #expect(found.video.enumerated().allSatisfy { $1.isRandomAccess == ($0 % 25 == 0) })
        // The parameter sets of the description are in front of what needs them.
        let sizes = Set(found.video.map { $0.isRandomAccess ? $0.octets - Bench.sets.joined().count - 8 : $0.octets })
        #expect(sizes.count == 1)
        let first = try #require(found.video.first?.pts)
        #expect(found.video.enumerated().allSatisfy { ($1.pts ?? 0) &- first == UInt64($0 * 3_600) })
        // In step with its pictures, by arrival.
        let sound = try #require(found.audio.first?.pts)
        #expect(Int64(sound) - Int64(first) < 3_600 && Int64(sound) - Int64(first) > -3_600)
        let counters = bench.receiver.counters
        #expect(counters.randomAccessPoints == 4 && counters.clockSource == 1 && counters.clockJumps == 0)
        #expect(counters.lostPackets == 0 && counters.malformedDatagrams == 0 && counters.tsDiscontinuities == 0)
        #expect(counters.datagrams == 200 + Int64(found.audio.count))
        #expect(bench.history.oldestRandomAccessPoint() != nil)
    }

    @Test(arguments: [0, 1]) func aLossDamagesOnePictureAndIsToldOnce(part: Int) {
        let bench = Bench([Bench.video])
        bench.play(seconds: 3, losing: part, of: 30)
        let found = bench.found()
        let damaged = found.video.indices.filter { found.video[$0].isDamaged }
        #expect(damaged == [30], "\(damaged)")
        let counters = bench.receiver.counters
        #expect(counters.lostPackets == 1 && counters.tsDiscontinuities == 1)
        #expect(counters.damagedUnits + counters.droppedUnits == 1)
    }

    @Test func soundAlone() {
        var audio = Bench.audio
        audio.controlPort = nil
        let bench = Bench([audio])
        for number in 0..<100 {
            bench.sendSound(number, of: 0)
            bench.now += .microseconds(21_333)
        }
        let found = bench.found()
        #expect(found.audio.count == 100 && found.video.isEmpty)
        let times = found.audio.compactMap(\.pts)
        #expect(zip(times, times.dropFirst()).allSatisfy { $1 - $0 == 1_920 })
        #expect(bench.receiver.counters.clockSource == 1 && bench.receiver.counters.randomAccessPoints == 100)
    }

    @Test(arguments: Effort.seeds(30)) func mutationNeverTraps(seed: UInt64) {
        var mutation = Mutation(seed: seed)
        let bench = Bench()
        for number in 0..<60 {
            for (medium, length) in [(0, 400), (1, 60)] {
                var out = WireWriter()
                RTPHeader.write(
                    payloadType: bench.media[medium].payloadType, hasMarker: number % 2 == 1,
                    sequence: UInt16(number), timestamp: UInt32(number / 2 * 3_600), ssrc: 5, to: &out)
                out.write(contentsOf: medium == 0 ? [0x65, 0x88] : [0, 16, 7, 0x80])
                out.write(repeating: 0x55, count: length)
                mutation.damage(out.bytes).withUnsafeBytes {
                    bench.receiver.datagramReceived($0, of: medium, at: bench.now)
                    bench.receiver.controlReceived($0, of: medium)
                }
            }
            bench.now += .milliseconds(20)
            bench.receiver.tick(at: bench.now)
        }
        #expect(bench.receiver.counters.datagrams == 120)
    }
}
