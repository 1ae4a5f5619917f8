// SPDX-License-Identifier: Apache-2.0
import Bytes
import Media
import Testing
import Time
import TransportStream
import Venue

@testable import Reception

/// Which records say that the clock was corrected, so that what was read before them is.
@Suite struct ClockCorrectionTests {
    private static let picture: [UInt8] = [0, 0, 0, 1, 9, 0x10, 0, 0, 0, 1, 0x65, 0x88, 0x84]
    private static let sound: [UInt8] = [0xFF, 0xF1, 0x4C, 0x80, 0x01, 0x1F, 0xFC]

    /// Of the records that say so, how far the offset went; and how many say that another timeline begins.
    private func clock(
        pictures: Int, stamp: (Int) -> Int64
    ) -> (corrections: [Nanoseconds], beginnings: Int) {
        let history = HistoryBuffer(span: .seconds(60), capacity: 4 << 20)
        let flow = FlowReceiver(.raw, into: history)
        var multiplexer = TSMultiplexer(.init(provider: "Venue", name: "One"))
        let origin = Monotonic(nanoseconds: 60_000_000_000)
        for number in stride(from: 0, to: pictures, by: 2) {
            var out = WireWriter()
            // Pictures so small that two begin in a datagram, as a clip of a logo has them.
            for picture in [number, number + 1] {
                let time = stamp(picture)
                Self.picture.withUnsafeBytes {
                    multiplexer.writeVideo($0, pts: time, isRandomAccess: true, clock: time * 300, to: &out)
                }
                Self.sound.withUnsafeBytes {
                    multiplexer.writeAudio($0, pts: time, clock: time * 300, to: &out)
                }
            }
            out.bytes.withUnsafeBytes { flow.datagramReceived($0, at: origin + .milliseconds(Int64(number) * 40)) }
            flow.tick(at: origin + .milliseconds(Int64(number) * 40))
        }
        var (cursor, last, found, begun) = (history.oldest, Nanoseconds?.none, [Nanoseconds](), 0)
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: history.largestRecord, alignment: 64)
        defer { buffer.deallocate() }
        while case .record(let record) = history.read(&cursor, into: buffer) {
            guard let offset = record.offset else { continue }
            if record.flags.contains(.clockCorrected), let last { found.append(offset - last) }
            if record.flags.contains(.clockBegan) { begun += 1 }
            last = offset
        }
        return (found, begun)
    }

    /// A clip that is sent again and again: the clock of each turn is another one.
    @Test(arguments: [50, 75, 100, 125]) func anotherTimelineIsNoCorrection(turn: Int) {
        let (found, begun) = clock(pictures: 500) { 900_000 + Int64($0 % turn) * 3_600 }
        #expect(found.allSatisfy { $0.magnitude < .milliseconds(700) }, "\(found.map(\.milliseconds))")
        #expect(begun >= 500 / turn, "one for each turn")
    }

    /// While the clock is found each step to what is better known is one.
    @Test func acquisitionIsCorrected() {
        let (found, begun) = clock(pictures: 100) { 900_000 + Int64($0) * 3_600 }
        #expect(!found.isEmpty && begun == 1)
    }
}
