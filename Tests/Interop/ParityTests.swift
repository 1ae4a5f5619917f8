// SPDX-License-Identifier: Apache-2.0
import ErasureCoding
import Foundation
import TestSupport
import Testing

extension Interop {
    /// "Shows 2" of the fourth step (G-07): parity of SMPTE ST 2022-1 from and to programs that know nothing of us.
    @Suite struct ParityTests {
        /// L and D.
        private static let sizes = [
            (4, 4), (4, 20), (5, 10), (5, 20), (6, 16), (7, 9), (8, 12), (10, 10), (20, 4), (20, 5),
        ]

        @Test(.enabled(if: Peer.ffmpeg.isThere)) func bringsBackWhatFFmpegProtects() async throws {
            try await TestVenue.open { venue in
                let file = venue.directory.file("clip.ts")
                try await venue.succeed(
                    CountedVideo.ffmpeg + [
                        "-f", "lavfi", "-i", "testsrc2=size=320x180:rate=25", "-t", "4", "-c:v", "libx264",
                        "-preset", "ultrafast", "-g", "25", "-b:v", "1500k", "-f", "mpegts", file,
                    ])
                var checks = 0
                for (columns, rows) in Self.sizes {
                    let flows = try await captured(columns: columns, rows: rows, of: file, in: venue)
                    #expect(flows.media.count > 3 * columns * rows)
                    for seed in Interop.seed..<Interop.seed + 12 {
                        let burst: Double = [1, 3, Double(columns)][Int(seed % 3)]
                        let share: Double = [0.01, 0.05, 0.1, 0.2][Int(seed % 4)]
                        let note: Comment = "l=\(columns):d=\(rows), seed \(seed)"
                        expectRepair(of: flows, flows.passage(seed: seed, share: share, burst: burst), note)
                        checks += 1
                    }
                }
                try Peer.ffmpeg.log(test: "parity", checks: checks)
            }
        }

        /// Everything that ffmpeg sends on its three ports; slower when a busy machine did not hear it all.
        private func captured(
            columns: Int, rows: Int, of file: String, in venue: TestVenue
        ) async throws -> ParityFlows {
            for rate in [6, 2] {
                let heard = try await heard(columns: columns, rows: rows, of: file, rate: rate, in: venue)
                do { return try ParityFlows(heard) } catch { print("l=\(columns):d=\(rows): \(error)") }
            }
            return try ParityFlows(try await heard(columns: columns, rows: rows, of: file, rate: 1, in: venue))
        }

        /// - Parameter rate: by which it is faster than the stream.
        private func heard(
            columns: Int, rows: Int, of file: String, rate: Int, in venue: TestVenue
        ) async throws -> [(bytes: [UInt8], flow: ParityFlow?)] {
            let capture = try DatagramCapture(ports: 5)
            defer { capture.end() }
            let destination = "rtp://127.0.0.1:\(capture.port)?pkt_size=1328"
            try await venue.succeed(
                CountedVideo.ffmpeg + [
                    "-readrate", "\(rate)", "-i", file, "-c", "copy", "-f", "rtp_mpegts", "-fec",
                    "prompeg=l=\(columns):d=\(rows)", destination,
                ])
            // It has sent all; the thread that reads may lag.
            var before = -1
            _ = try await eventually(within: .seconds(5)) {
                try await Task.sleep(for: .milliseconds(100))
                defer { before = capture.datagrams.count }
                return capture.datagrams.count == before
            }
            return capture.datagrams.compactMap { datagram in
                switch datagram.offset {
                case 0: (datagram.bytes, nil)
                case 2: (datagram.bytes, .columns)
                case 4: (datagram.bytes, .rows)
                default: nil  // RTCP
                }
            }
        }

        private func expectRepair(of flows: ParityFlows, _ passage: ParityFlows.Passage, _ note: Comment) {
            let (made, counters) = ParityFlows.repair(passage.arrived)
            let indices = made.map(flows.index)
            // A packet may be made before it comes: the three ports are read one after the other.
            #expect(passage.lost.intersection(indices) == passage.lost.subtracting(passage.lostForGood), note)
            #expect(zip(indices, made).allSatisfy { flows.media[$0] == $1 }, note)
            #expect(Set(indices).count == made.count, note)
            // The ledger.
            #expect(counters.columnPackets == Int64(passage.arrived.count { $0.flow == .columns }), note)
            #expect(counters.rowPackets == Int64(passage.arrived.count { $0.flow == .rows }), note)
            #expect(counters.recoveredPackets == Int64(made.count), note)
            #expect(counters.unrecoveredPackets == Int64(passage.counted), note)
            #expect([counters.malformed, counters.unusable, counters.restarts] == [0, 0, 0], note)
            let all = counters.unneeded + counters.recoveredPackets + counters.unsolved
            #expect(counters.columnPackets + counters.rowPackets == all, note)
        }

        @Test(.enabled(if: Peer.gstreamer.isThere), arguments: [(5, 6, true), (10, 10, true), (20, 5, false)])
        func gstreamerBringsBackWhatWeProtect(columns: Int, rows: Int, withRows: Bool) async throws {
            try await TestVenue.open { venue in
                let flows = try protected(columns: columns, rows: rows, withRows: withRows)
                let passages = (0..<100).lazy.map {
                    flows.passage(seed: Interop.seed + $0, share: 0.05, burst: 3)
                }
                guard let passage = passages.first(where: { $0.lost.count - $0.lostForGood.count > 10 }) else {
                    throw VenueError("hardly a loss in a hundred passages")
                }
                // Three ports that are free now.
                let finder = try DatagramCapture(ports: 5)
                finder.end()
                let port = finder.port
                _ = try await eventually(within: .seconds(5)) { !DatagramCapture.isTaken(port) }
                let file = venue.directory.file("repaired-\(columns)-\(rows)")
                try venue.start(Self.pipeline(port: port, to: file), name: "gstreamer")
                guard
                    try await eventually(
                        within: .seconds(20),
                        { [0, 2, 4].allSatisfy { DatagramCapture.isTaken(port + $0) } })
                else { throw VenueError("GStreamer does not listen") }
                try await Task.sleep(for: .milliseconds(200))  // from listening to reading
                let senders = try [0, 2, 4].map { try DatagramSender(to: "127.0.0.1", port: port + $0) }
                for packet in passage.arrived {
                    let place = packet.flow.map { $0 == .columns ? 1 : 2 } ?? 0
                    try senders[place].send(packet.bytes)
                    try await Task.sleep(for: .milliseconds(1))
                }
                // It leaves the source of what it makes 0, and may make a packet before it comes.
                let original = Set(flows.media.map(Self.withoutSource))
                let expected = Set(
                    flows.media.indices.filter { !passage.lostForGood.contains($0) }
                        .map { Self.withoutSource(flows.media[$0]) })
                var came = Set<[UInt8]>()
                let isWhole = try await eventually(within: .seconds(10)) {
                    came = Set(try Self.framed(in: file).map(Self.withoutSource))
                    return came.isSuperset(of: expected)
                }
                let note: Comment =
                    "seed \(Interop.seed): \(passage.lost.count) lost, \(expected.subtracting(came).count) not made"
                #expect(isWhole && came.isSubset(of: original), note)
                try Peer.gstreamer.log(test: "parity", checks: passage.lost.count - passage.lostForGood.count)
            }
        }

        private static func pipeline(port: UInt16, to file: String) -> [String] {
            func source(_ offset: UInt16, _ caps: String, _ pad: String) -> [String] {
                let all = "caps=application/x-rtp,clock-rate=90000,\(caps)"
                return ["udpsrc", "address=127.0.0.1", "port=\(port + offset)", "reuse=false", all, "!", "dec.\(pad)"]
            }
            let parity = "media=application,encoding-name=parityfec,payload=96"
            return ["gst-launch-1.0", "rtpst2022-1-fecdec", "name=dec", "size-time=20000000000", "!", "rtpstreampay"]
                + ["!", "filesink", "buffer-mode=unbuffered", "location=\(file)"]
                + source(2, parity, "fec_0") + source(4, parity, "fec_1")
                + source(0, "media=video,encoding-name=MP2T,payload=33", "sink")
        }

        /// What our sender makes of a made-up stream.
        private func protected(columns: Int, rows: Int, withRows: Bool) throws -> ParityFlows {
            var random = SplitMix64(seed: Interop.seed)
            let encoder = ParityEncoder(columns: columns, rows: rows, withRows: withRows)
            var sent: [(bytes: [UInt8], flow: ParityFlow?)] = []
            for index in 0..<UInt16(max(400, 5 * columns * rows)) {
                let sequence = 65_400 &+ index
                var packet: [UInt8] = [0x80, 33, UInt8(sequence >> 8), UInt8(sequence & 0xFF)]
                packet += [0, 1, UInt8(index >> 8), UInt8(index & 0xFF), 1, 2, 3, 4]
                packet += (0..<7 * 188).map { _ in UInt8.random(in: 0...255, using: &random) }
                sent.append((packet, nil))
                packet.withUnsafeBytes { octets in
                    _ = encoder.packetSent(octets) { sent.append((Array($0), $1)) }
                }
            }
            encoder.finish { sent.append((Array($0), $1)) }
            return try ParityFlows(sent)
        }

        private static func withoutSource(_ packet: [UInt8]) -> [UInt8] { Array(packet[..<8] + packet[12...]) }

        /// Packets with their lengths before them (RFC 4571), those that are whole.
        private static func framed(in file: String) throws -> [[UInt8]] {
            let bytes = try [UInt8](Data(contentsOf: URL(fileURLWithPath: file)))
            var packets: [[UInt8]] = []
            var offset = 0
            while offset + 2 <= bytes.count {
                let end = offset + 2 + (Int(bytes[offset]) << 8 | Int(bytes[offset + 1]))
                guard end <= bytes.count, end >= offset + 14 else { break }
                packets.append(Array(bytes[offset + 2..<end]))
                offset = end
            }
            return packets
        }
    }
}
