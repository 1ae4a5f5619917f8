// SPDX-License-Identifier: Apache-2.0
import Foundation
import JSON
import TestSupport
import Testing

extension Interop {
    /// "Bad input" while a channel plays: counted under its own name, and the picture is back within 1 s.
    @Suite(.enabled(if: Peer.ffmpeg.isThere)) struct BadInputTests {
        private func scene(_ body: (BadInputScene) async throws -> Void) async throws {
            try await TestVenue.open { try await body(BadInputScene(in: $0)) }
        }

        @Test func garbageOnTheGroups() async throws {
            try await scene { scene in
                var random = SplitMix64(seed: Interop.seed)
                let garbage = (0..<200).map { _ -> [UInt8] in
                    // Neither SAP of version 1 nor RTP of version 2.
                    [0x7f]
                        + (0..<Int.random(in: 0...1_400, using: &random)).map { _ in
                            .random(in: 0...255, using: &random)
                        }
                }
                let announcer = try DatagramSender(to: scene.announcements)
                for packet in garbage {
                    try announcer.send(packet)
                    try scene.sender.inject { _ in packet }
                }
                let good = try await scene.sender.mark()
                try await scene.expect("/announcementsMalformed", 200)
                try await scene.expect("/announcementsReceived", 200)
                try await scene.expect("/reception/malformedDatagrams", 200)
                try await scene.expectPictureBack(good)
                #expect(try await scene.box.counters("/reception/lostPackets", "/playback/damagedFrames") == [0, 0])
            }
        }

        @Test func foreignSSRCAndWrongPayloadType() async throws {
            try await scene { scene in
                for _ in 0..<100 {
                    try scene.sender.inject { $0[..<8] + [1, 2, 3, 4] + $0[12...] }
                    try scene.sender.inject { [$0[0], 96] + $0[2...] }
                }
                let good = try await scene.sender.mark()
                try await scene.expect("/reception/foreignSSRC", 100)
                try await scene.expect("/reception/wrongPayloadType", 100)
                try await scene.expectPictureBack(good)
                let others = try await scene.box.counters(
                    "/reception/lostPackets", "/reception/ssrcChanges", "/reception/tsDiscontinuities",
                    "/playback/damagedFrames")
                #expect(others == [0, 0, 0, 0])
            }
        }

        /// Packets overwritten where they are, as a broken multiplexer would.
        @Test func garbageInsideTheTransportStream() async throws {
            try await scene { scene in
                let good = try await scene.sender.damage(20) { datagram in
                    // The third packet of seven; no octet of it is a sync byte.
                    datagram[..<(12 + 376)] + [UInt8](repeating: 0x00, count: 188) + datagram[(12 + 564)...]
                }
                try await scene.expect("/reception/tsSkippedOctets", 20 * 188)
                try await scene.expectPictureBack(good)
                #expect(try await scene.box.counter("/num_ts_discontinuities") > 0)
                #expect(try await scene.box.counter("/reception/lostPackets") == 0)
            }
        }

        @Test func datagramsWithoutTransportStream() async throws {
            try await scene { scene in
                let good = try await scene.sender.damage(20) { datagram in
                    datagram[..<12] + [UInt8](repeating: 0xa5, count: datagram.count - 12)
                }
                try await scene.expect("/reception/malformedDatagrams", 20)
                try await scene.expectPictureBack(good)
            }
        }

        @Test func lostDatagrams() async throws {
            try await scene { scene in
                let good = try await scene.sender.damage(20) { _ in [] }
                try await scene.expect("/reception/lostPackets", 20)
                try await scene.expectPictureBack(good)
            }
        }

        /// The same programme on other PIDs, its time stamps a thousand seconds on.
        @Test func otherPIDs() async throws {
            try await scene { scene in
                let other = try await CountedVideo.make(
                    seconds: 10, pids: (0x1100, 0x300), offset: 1_000, in: scene.venue)
                let file = try TransportStreamFile(other, videoPID: 0x300)
                let good = try await scene.sender.send(file)
                try await scene.expectPictureBack(good)
                try await scene.expect("/playback/programChanges", 1)
                let back = try await scene.sender.send(scene.file)
                try await scene.expectPictureBack(back)
                try await scene.expect("/playback/programChanges", 2)
            }
        }

        @Test func timeStampsJump() async throws {
            try await scene { scene in
                let forwards = try await scene.sender.jump(to: 30)
                try await scene.expectPictureBack(forwards)
                try await scene.expect("/playback/timestampJumps", 1)
                let backwards = try await scene.sender.jump(to: 5)
                try await scene.expectPictureBack(backwards)
                try await scene.expect("/playback/timestampJumps", 2)
            }
        }

        /// Another identity on the same group, after the time that a program needs to start.
        @Test func senderStartsAgain() async throws {
            try await scene { scene in
                let good = try await scene.sender.restart(after: .milliseconds(500), from: scene.file)
                try await scene.expectPictureBack(good)
                try await scene.expect("/reception/ssrcChanges", 1)
                #expect(try await scene.box.counter("/reception/foreignSSRC") == 0)
            }
        }
    }
}
