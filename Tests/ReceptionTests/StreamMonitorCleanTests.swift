// SPDX-License-Identifier: Apache-2.0
import Bytes
import Foundation
import TestSupport
import Testing
import Time
import TransportStream
import Venue

@testable import Reception

/// Streams of encoders in which nothing is wrong, and streams in which everything may be.
@Suite struct StreamMonitorCleanTests {
    private static let vectors = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .appendingPathComponent("TransportStreamTests/Vectors")

    /// Each packet comes when the clock says, as of the PCR before it.
    private static func store(_ stream: [UInt8], into feed: inout StreamFeed) throws {
        var (first, now) = (UInt64?.none, Nanoseconds.zero)
        try stream.withUnsafeBytes { bytes in
            for offset in stride(from: 0, to: bytes.count, by: TSPacket.size) {
                let packet = try TSPacket(bytes, at: offset)
                if let pcr = packet.pcr {
                    let start = first ?? pcr
                    first = start
                    now = Nanoseconds(Int64(pcr - start) * 1_000 / 27)
                }
                feed.store(
                    UnsafeRawBufferPointer(rebasing: bytes[offset..<offset + TSPacket.size]),
                    at: StreamMonitorTests.start + now, afterLoss: false)
            }
        }
    }

    @Test(arguments: ["h264-opus", "hevc-eac3", "mpeg1-latm", "mpeg2-mp2", "mpeg2i-ac3", "testsrc2"])
    func ffmpegsStreamsAreFaultless(name: String) throws {
        let bytes = [UInt8](try Data(contentsOf: Self.vectors.appendingPathComponent("\(name).ts")))
        var feed = StreamMonitorTests.feed()
        try Self.store(bytes, into: &feed)
        let counters = feed.counters()
        #expect(counters.tsPackets == Int64(bytes.count / TSPacket.size))
        // ffmpeg writes a PCR with every second picture: 80 ms is allowed, though not recommended.
        #expect(StreamMonitorTests.fired(feed).filter { $0.key != .pcrInterval } == [:])
        #expect(feed.faults[.pcrInterval] > 10)
    }

    /// Pictures of 25 Hz and sound, of any sizes, visited each 10 ms.
    @Test func oursAreFaultless() throws {
        var multiplexer = TSMultiplexer(TSMultiplexer.Layout(provider: "test", name: "test"))
        var writer = WireWriter()
        var random = SplitMix64(seed: 8)
        for tick in 0..<2_000 as Range<Int64> {
            let clock = tick * 270_000
            if tick % 4 == 0 {
                let size = Int.random(in: 500...9_000, using: &random)
                let picture = [0, 0, 0, 1, tick % 100 == 0 ? 0x65 : 0x41] + [UInt8](repeating: 0x55, count: size)
                picture.withUnsafeBytes {
                    multiplexer.writeVideo(
                        $0, pts: clock / 300 + 9_000, isRandomAccess: tick % 100 == 0, clock: clock, to: &writer)
                }
            } else {
                [UInt8](repeating: 0x11, count: 300).withUnsafeBytes {
                    multiplexer.writeAudio($0, pts: clock / 300 + 9_000, clock: clock, to: &writer)
                }
            }
            multiplexer.writeDue(clock: clock, to: &writer)
        }
        var feed = StreamMonitorTests.feed()
        try Self.store(writer.bytes, into: &feed)
        #expect(StreamMonitorTests.fired(feed) == [:])
    }

    /// Whatever comes, nothing traps, no count goes down, and a faultless stream behind it is found faultless.
    @Test func survivesDamagedStreams() {
        let good = MadeStream(seconds: 1)
        var mutation = Mutation(seed: 77)
        var feed = StreamMonitorTests.feed()
        var before = IndicatorCounts()
        var now = StreamMonitorTests.start
        for _ in 0..<Mutation.count(usual: 300) {
            let bytes = mutation.damage(good.packets[..<160].flatMap(\.bytes))
            now += .milliseconds(120)
            bytes.withUnsafeBytes { feed.store($0, at: now, afterLoss: false) }
            for indicator in StreamIndicator.allCases { #expect(feed.faults[indicator] >= before[indicator]) }
            before = feed.faults
        }
        #expect(before != IndicatorCounts())
        feed.senderChanged()
        let fresh = MadeStream(seconds: 3)
        let start = now + .seconds(20)
        for packet in fresh.packets {
            packet.bytes.withUnsafeBytes { feed.store($0, at: start + packet.sent, afterLoss: false) }
        }
        let later = feed.faults - before
        #expect(StreamIndicator.allCases.filter { later[$0] != 0 } == [])
    }
}
