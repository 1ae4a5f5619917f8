// SPDX-License-Identifier: Apache-2.0
import Bytes
import Media
import TestSupport
import Testing
import Time
import Timelines
import TransportStream
import Venue

@testable import Reception

/// From datagrams of our own multiplexer to the offsets in the history.
@Suite struct FlowClockTests {
    /// A head-end's stream in datagrams of seven packets, each with the instant at which it is sent.
    private struct Datagrams {
        var list: [(bytes: [UInt8], sent: Nanoseconds)] = []
        private var writer = WireWriter()
        private var taken = 0

        /// Pictures of 40 ms, complete one picture before their decoding times; audio in between.
        init(seconds: Int64, program: UInt16 = 1, hasAudio: Bool = true) {
            var layout = TSMultiplexer.Layout(provider: "test", name: "test")
            layout.programNumber = program
            if !hasAudio { layout.audioPID = nil }
            var multiplexer = TSMultiplexer(layout)
            var random = SplitMix64(seed: 5)
            for tick in 0..<seconds * 100 {
                let clock = tick * 270_000
                if tick % 4 == 0 {
                    let picture =
                        [0, 0, 0, 1, tick % 100 == 0 ? 0x65 : 0x41]
                        + [UInt8](
                            repeating: 0x55, count: .random(in: 2_000...9_000, using: &random))
                    let dts = clock / 300 + 7_200
                    picture.withUnsafeBytes {
                        multiplexer.writeVideo(
                            $0, pts: dts + 3_600, dts: dts, isRandomAccess: tick % 100 == 0, clock: clock, to: &writer)
                    }
                } else if hasAudio {
                    [UInt8](repeating: 0x11, count: 300).withUnsafeBytes {
                        multiplexer.writeAudio($0, pts: clock / 300 + 7_200, clock: clock, to: &writer)
                    }
                }
                multiplexer.writeDue(clock: clock, to: &writer)
                cut(at: .milliseconds(tick * 10))
            }
        }

        private mutating func cut(at sent: Nanoseconds) {
            while writer.count - taken >= 7 * 188 {
                list.append((Array(writer.bytes[taken..<taken + 7 * 188]), sent))
                taken += 7 * 188
            }
        }
    }

    private static let start = Monotonic(nanoseconds: 90_000_000_000)

    private static func flow(program: ProgramChoice? = nil) -> FlowReceiver {
        FlowReceiver(.raw, program: program, into: HistoryBuffer(span: .seconds(60), capacity: 8 << 20))
    }

    /// The offset that makes a picture's decoding time the instant at which the next picture began to be sent: 7 200 ticks
    /// are 80 ms, of which the picture itself takes 40 ms.
    private static let expected = Nanoseconds(start.nanoseconds) - .milliseconds(40)

    @Test func findsTheOffsetOfTheStream() {
        let flow = Self.flow()
        var random = SplitMix64(seed: 77)
        #expect(flow.correlation == nil)
        for datagram in Datagrams(seconds: 12).list {
            let jitter = Nanoseconds(.random(in: 0...5_000_000, using: &random))
            datagram.bytes.withUnsafeBytes { flow.datagramReceived($0, at: Self.start + datagram.sent + jitter) }
        }
        let error = (flow.correlation?.offset ?? .zero) - Self.expected
        // Datagrams are filled up by what is sent 10 ms later.
        #expect(error.magnitude < .milliseconds(12), "\(error)")
        #expect(flow.counters.clockSource == 2 && flow.counters.clockLocked == 1)
        #expect(flow.counters.pcrCount > 300 && flow.counters.pcrDoubtful == 0)
        #expect(flow.counters.clockJumps == 0 && flow.counters.clockStalls == 0)
        #expect(flow.counters.randomAccessPoints == 12)
    }

    /// Each record says the offset of its moment, and a replay says the same.
    @Test(arguments: Effort.seeds(10)) func replaysToEqualOffsets(seed: UInt64) {
        func offsets() -> (offsets: [Nanoseconds?], counters: ReceptionCounters) {
            let history = HistoryBuffer(span: .seconds(60), capacity: 8 << 20)
            let flow = FlowReceiver(.raw, into: history)
            var random = SplitMix64(seed: seed)
            var mutation = Mutation(seed: seed)
            for datagram in Datagrams(seconds: 6).list {
                let arrival = Self.start + datagram.sent + Nanoseconds(.random(in: 0...50_000_000, using: &random))
                switch Int.random(in: 0..<50, using: &random) {
                case 0: break
                case 1: mutation.damage(datagram.bytes).withUnsafeBytes { flow.datagramReceived($0, at: arrival) }
                default: datagram.bytes.withUnsafeBytes { flow.datagramReceived($0, at: arrival) }
                }
            }
            var result: [Nanoseconds?] = []
            var cursor = history.oldest
            withUnsafeTemporaryAllocation(byteCount: history.largestRecord, alignment: 16) { buffer in
                while case .record(let record) = history.read(&cursor, into: buffer) { result.append(record.offset) }
            }
            return (result, flow.counters)
        }
        let first = offsets()
        let second = offsets()
        #expect(first.offsets == second.offsets && first.counters == second.counters)
        #expect(first.offsets.contains { $0 != nil } && first.offsets.first == .some(nil))
        let last = (first.offsets.last ?? nil) ?? .zero
        #expect((last - Self.expected).magnitude < .milliseconds(70), "damage and loss leave the clock where it is")
    }

    @Test func followsTheProgramThatIsChosen() {
        let flow = Self.flow(program: 9)
        let datagrams = Datagrams(seconds: 4).list
        for datagram in datagrams {
            datagram.bytes.withUnsafeBytes { flow.datagramReceived($0, at: Self.start + datagram.sent) }
        }
        #expect(flow.correlation == nil && flow.counters.clockSource == 0, "program 9 is not there")
        flow.follow(program: 1)
        for datagram in datagrams {
            let arrival = Self.start + datagram.sent + .seconds(4)
            datagram.bytes.withUnsafeBytes { flow.datagramReceived($0, at: arrival) }
        }
        #expect(flow.counters.clockSource == 2)
        let error = (flow.correlation?.offset ?? .zero) - Self.expected - .seconds(4)
        #expect(error.magnitude < .milliseconds(12))
        flow.follow(program: nil)
        #expect(flow.correlation == nil && flow.counters.clockSource == 0)
    }
}
