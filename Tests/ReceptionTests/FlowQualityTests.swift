// SPDX-License-Identifier: Apache-2.0
import Media
import Testing
import Time
import TransportStream
import Venue

@testable import Reception

/// From datagrams to what the channel's quality says.
@Suite struct FlowQualityTests {
    private final class Bench {
        let flow: FlowReceiver
        var now = Monotonic(nanoseconds: 5_000_000_000)
        private var sequence: UInt16 = 65_000

        init(_ encapsulation: Transport.Encapsulation = .rtp(payloadType: 33)) {
            flow = FlowReceiver(encapsulation, into: HistoryBuffer(span: .seconds(10), capacity: 4 << 20))
        }

        /// In datagrams of seven packets, with a tick behind each.
        /// - Parameter isLost: of which datagrams nothing comes.
        func play(_ stream: MadeStream, late: Nanoseconds = .zero, isLost: (Int) -> Bool = { _ in false }) {
            let start = now
            for (index, place) in stride(from: 0, to: stream.packets.count - 6, by: 7).enumerated() {
                let sent = stream.packets[place + 6].sent
                defer { sequence &+= 1 }
                now = start + sent
                guard !isLost(index) else { continue }
                let stamp = UInt32(truncatingIfNeeded: (now.nanoseconds / 1_000) * 9 / 100)
                let front: [UInt8] = [
                    0x80, 33, UInt8(sequence >> 8), UInt8(sequence & 0xFF), UInt8(stamp >> 24),
                    UInt8(stamp >> 16 & 0xFF),
                    UInt8(stamp >> 8 & 0xFF), UInt8(stamp & 0xFF), 0, 0, 0, 9,
                ]
                let payload = stream.packets[place..<place + 7].flatMap(\.bytes)
                (front + payload).withUnsafeBytes { flow.datagramReceived($0, at: now) }
                flow.tick(at: now + late)
            }
        }

        func wait(_ span: Nanoseconds) {
            let end = now + span
            while now < end {
                now += .milliseconds(20)
                flow.tick(at: now)
            }
        }

        var fired: [StreamIndicator: Int64] {
            let all = StreamIndicator.allCases.map { ($0, flow.quality.totals[$0]) }.filter { $0.1 != 0 }
            return Dictionary(uniqueKeysWithValues: all)
        }
    }

    @Test func aGoodStreamIsGood() {
        let bench = Bench()
        bench.play(MadeStream(seconds: 12))
        let quality = bench.flow.quality
        #expect(bench.fired == [:] && quality.alarms == [] && quality.isConstantRate)
        #expect((1_990_000...2_040_000).contains(quality.bitsPerSecond))
        #expect(quality.shortPackets > 1_850 && quality.shortLossPPM == 0)
        #expect(quality.jitter < .microseconds(30) && quality.peakJitter < .microseconds(30))
    }

    @Test func lossesAreCountedWhereTheyWereMade() {
        let bench = Bench()
        bench.play(MadeStream(seconds: 3)) { $0 == 200 || $0 == 201 }
        bench.flow.kernelDropsReported(total: 3)
        bench.wait(.milliseconds(200))
        bench.play(MadeStream(seconds: 3)) { (200..<204).contains($0) }
        bench.wait(.seconds(1))
        #expect(bench.flow.counters.lostPackets == 6)
        #expect(bench.flow.counters.lostToKernel == 3 && bench.flow.counters.lostToNetwork == 3)
        #expect(bench.fired[.lostToKernel] == 3 && bench.fired[.lostToNetwork] == 3)
        #expect(bench.flow.quality.alarms.contains(.lostToKernel))
    }

    /// A second of silence: what has to come is missing, once each.
    @Test func silenceIsAbsence() {
        let bench = Bench()
        bench.play(MadeStream(seconds: 3))
        bench.wait(.milliseconds(1_200))
        #expect(bench.fired == [.pat: 1, .pmt: 1, .pcrRepetition: 1, .pts: 2])
        bench.wait(.seconds(20))
        #expect(bench.fired == [.pat: 1, .pmt: 1, .pcrRepetition: 1, .pts: 2, .pid: 2])
        #expect(bench.flow.quality.alarms.members == [.pat, .pmt, .pid, .pcrRepetition, .pts])
        #expect(bench.flow.quality.bitsPerSecond == 0)
    }

    /// A receive thread that lags has in its socket what seems to be missing.
    @Test func aLateThreadIsNoAbsence() {
        let bench = Bench()
        bench.play(MadeStream(seconds: 12), late: .seconds(3))
        bench.wait(.seconds(1))
        bench.flow.tick(at: bench.now + .seconds(2))
        #expect(bench.fired[.syncLoss] == nil && bench.flow.quality.totals[.lostToNetwork] == 0)
        let whilePlaying = Bench()
        whilePlaying.play(MadeStream(seconds: 12), late: .seconds(3))
        #expect(whilePlaying.fired == [:])
    }

    @Test func followsAnotherProgramAnew() {
        let bench = Bench(.raw)
        bench.flow.follow(program: 7)
        for packet in MadeStream(seconds: 3).packets {
            bench.now += MadeStream.slot
            packet.bytes.withUnsafeBytes { bench.flow.datagramReceived($0, at: bench.now) }
            bench.flow.tick(at: bench.now)
        }
        #expect(bench.fired == [:])
        bench.flow.follow(program: nil)
        for packet in MadeStream(seconds: 3).packets {
            bench.now += MadeStream.slot
            packet.bytes.withUnsafeBytes { bench.flow.datagramReceived($0, at: bench.now) }
            bench.flow.tick(at: bench.now)
        }
        // The made stream begins anew, its counters and its clock with it.
        let known: Set<StreamIndicator> = [.continuityCount, .pcrDiscontinuity]
        #expect(bench.fired.keys.allSatisfy(known.contains))
    }
}
