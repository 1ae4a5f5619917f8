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

struct ElementaryReceiverTests {
    @Test func becomesATransportStream() throws {
        let bench = ElementaryBench()
        bench.play(seconds: 4)
        let found = bench.found()
        #expect(found.video.count == 100 && found.audio.count > 180)
        #expect(found.video.allSatisfy { !$0.isDamaged })
        #expect(found.video.enumerated().allSatisfy { $1.isRandomAccess == ($0 % 25 == 0) })
        // The parameter sets of the description are in front of what needs them.
        let announced = ElementaryBench.sets.joined().count + 8
        let sizes = Set(found.video.map { $0.isRandomAccess ? $0.octets - announced : $0.octets })
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
        let bench = ElementaryBench([ElementaryBench.video])
        bench.play(seconds: 3, losing: part, of: 30)
        let found = bench.found()
        let damaged = found.video.indices.filter { found.video[$0].isDamaged }
        #expect(damaged == [30], "\(damaged)")
        let counters = bench.receiver.counters
        #expect(counters.lostPackets == 1 && counters.tsDiscontinuities == 1)
        #expect(counters.damagedUnits + counters.droppedUnits == 1)
    }

    @Test func soundAlone() {
        var audio = ElementaryBench.audio
        audio.controlPort = nil
        let bench = ElementaryBench([audio])
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
        let bench = ElementaryBench()
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
