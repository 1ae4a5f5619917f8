// SPDX-License-Identifier: Apache-2.0
import Bytes
import Foundation
import Media
import Network
import System
import TestSupport
import Testing
import Time
import Venue

@testable import Reception

/// Rule 11 on real input: what ffmpeg sends is received live and recorded; the record, replayed twice, counts the same.
@Suite struct InteropReplayTests {
    private static let ffmpeg = "/usr/bin/ffmpeg"

    @Test(.enabled(if: Required.file(ffmpeg))) func whatFfmpegSendsReplaysAlike() throws {
        let group = "239.255.78.\(Int.random(in: 1...254))"
        let port = UInt16.random(in: 21_100...29_000)
        let socket = try DatagramSocket(listeningTo: group, port: port, interface: "lo", timeout: .milliseconds(50))
        let sender = Process()
        sender.executableURL = URL(fileURLWithPath: Self.ffmpeg)
        sender.arguments =
            "-v error -nostdin -re -f lavfi -i testsrc2=size=320x180:rate=25 -t 3 -c:v libx264 -preset ultrafast -g 25"
            .split(separator: " ").map(String.init)
            + ["-f", "rtp_mpegts", "rtp://\(group):\(port)?ttl=1&pkt_size=1328&localaddr=127.0.0.1"]
        try sender.run()
        defer {
            sender.terminate()
            sender.waitUntilExit()
        }
        let (log, live) = try record(from: socket, for: .seconds(3))
        #expect(live.tsPackets > 100 && live.randomAccessPoints >= 1)
        #expect(live.tsDiscontinuities == 0 && live.malformedDatagrams == 0)
        #expect(live.clockSource == 2 && live.pcrCount > 20 && live.pcrDoubtful == 0 && live.clockJumps == 0)
        #expect(try replayed(log) == live)
        #expect(try replayed(log) == live)
        PeerLog.add("ffmpeg", test: #function, checks: 2)
    }

    /// Receives as `ChannelReceiver` does and writes down all that it was given.
    private func record(
        from socket: borrowing DatagramSocket, for span: Nanoseconds
    ) throws -> (log: [UInt8], counters: ReceptionCounters) {
        var batch = DatagramBatch(slots: 16, octets: 9_216)
        var log = WireWriter()
        let flow = makeFlow()
        // From the first datagram on: ffmpeg takes its time to start.
        var end = SystemClock.monotonic() + .seconds(20)
        var isFirst = true
        while SystemClock.monotonic() < end {
            let count = try batch.receive(from: socket)
            if count > 0, isFirst {
                isFirst = false
                end = SystemClock.monotonic() + span
            }
            for index in 0..<count {
                let arrival = batch.arrival(index)
                batch.withBytes(index) { bytes in
                    InputLog.write(.datagram, at: arrival, address: "127.0.0.1", payload: bytes, to: &log)
                    flow.datagramReceived(bytes, at: arrival)
                }
            }
            let now = SystemClock.monotonic()
            withUnsafeBytes(of: batch.kernelDrops.bigEndian) {
                InputLog.write(.kernelDrops, at: now, payload: $0, to: &log)
            }
            flow.kernelDropsReported(total: batch.kernelDrops)
            [].withUnsafeBytes { InputLog.write(.tick, at: now, payload: $0, to: &log) }
            flow.tick(at: now)
        }
        return (log.bytes, flow.counters)
    }
}

func makeFlow() -> FlowReceiver {
    FlowReceiver(.rtp(payloadType: 33), into: HistoryBuffer(span: .seconds(30), capacity: 1 << 20))
}

/// The counters after a log.
func replayed(_ log: [UInt8]) throws -> ReceptionCounters {
    let flow = makeFlow()
    try replay(log, into: flow)
    return flow.counters
}

/// Gives the flow what the log has.
func replay(_ log: [UInt8], into flow: FlowReceiver) throws {
    try log.withUnsafeBytes { bytes in
        try InputLog.read(bytes) { entry in
            switch entry.kind {
            case .datagram:
                flow.datagramReceived(UnsafeRawBufferPointer(rebasing: bytes[entry.payload]), at: entry.time)
            case .tick: flow.tick(at: entry.time)
            case .kernelDrops:
                var reader = WireReader(bytes, in: entry.payload)
                // Written by the test, so it is whole.
                if let total = try? reader.read(UInt32.self) { flow.kernelDropsReported(total: total) }
            case .announcement, .recovered, .truncated, .counters, .program, .reinforced: break
            }
        }
    }
}
