// SPDX-License-Identifier: Apache-2.0
import Foundation
import JSON
import Testing

extension Interop {
    /// More datagrams come to the group of a channel than the box can read.
    @Suite(.enabled(if: Peer.ffmpeg.isThere)) struct FloodTests {
        /// RTP of the channel's payload type from another sender. The thread that reads it has a real-time priority; if it
        /// never rested, the kernel would end the process after 5 s.
        private static let foreign: [UInt8] =
            [0x80, 33, 0, 1, 0, 0, 0, 1, 0xAB, 0xCD, 0xEF, 1] + [UInt8](repeating: 0x47, count: 88)

        @Test func thePictureReturnsAndTheProcessIsTheSame() async throws {
            try await TestVenue.open { venue in
                let (target, video) = (StreamTarget(), try await CountedVideo.make(in: venue))
                let box = try await BoxProcess(["channels": [target.json]], in: venue)
                let input = ["-re", "-stream_loop", "-1", "-i", video.path, "-c", "copy"]
                try venue.start(
                    ["ffmpeg", "-nostdin", "-loglevel", "error"] + input + target.output(), name: "ffmpeg")
                try await box.tune("One")
                let socket = try ControlSocket(box.socket)
                let before = try await ScreenLooks.takeUntilItMoves(of: socket, within: 8, in: venue)
                #expect(before.movesSince != nil)
                let seconds = Interop.isSoak ? 60.0 : 8.0
                let flood = Flood(Self.foreign, to: target.group, senders: 2)
                let during = try await ScreenLooks.take(of: socket, for: seconds, in: venue)
                let sent = flood.end()
                let after = try await ScreenLooks.takeUntilItMoves(of: socket, within: 8, in: venue)
                // The kernel tells what it dropped with the next datagram that it delivers.
                let stats = try socket.ask("stats").result
                func counter(_ name: String) -> Int { Int(stats.at("/stats/reception/\(name)")?.integer ?? -1) }
                let (read, drops) = (counter("datagrams"), counter("kernelDrops"))
                print("flood: \(sent) datagrams in \(seconds) s, \(read) read, \(drops) dropped by the kernel")
                print("flood: lost to us \(counter("lostToKernel")), to the network \(counter("lostToNetwork"))")
                // The render thread answered each look, and there was always something to be seen.
                #expect(!during.hasBlack && Double(during.looks.count) > seconds)
                #expect(after.movesSince != nil && !after.hasBlack, "the picture returns")
                // What could not be read is counted as the kernel's, and nothing as the network's.
                #expect(sent > Int(seconds) * 200_000 && drops > 0 && read + drops > sent / 10 * 9)
                #expect(counter("lostToNetwork") == 0)
                try Peer.ffmpeg.log(test: #function, checks: during.looks.count + after.looks.count)
            }
        }
    }
}
