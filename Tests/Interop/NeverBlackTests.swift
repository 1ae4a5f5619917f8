// SPDX-License-Identifier: Apache-2.0
import Foundation
import JSON
import Testing

extension Interop {
    /// G-34, rule 9 of the design: whatever ends, the screen shows what it last had, or a slate; what comes back is seen.
    @Suite struct NeverBlackTests {
        /// From the start of the program to pictures that follow each other: a join, a random-access point and the
        /// play-out delay of a channel with one of them a second.
        private static let backWithin = 4.0

        /// The head-end loses its power for longer than anybody waits, and comes back.
        @Test(.enabled(if: Peer.ffmpeg.isThere)) func senderIsKilled() async throws {
            try await TestVenue.open { venue in
                let (target, video) = (StreamTarget(), try await CountedVideo.make(in: venue))
                let box = try await BoxProcess(["channels": [target.json]], in: venue)
                let sender = try Self.send(video, to: target, in: venue)
                try await box.tune("One")
                let socket = try ControlSocket(box.socket)
                let before = try await ScreenLooks.take(of: socket, for: 1.5, in: venue)
                sender.signal(SIGKILL)
                let killed = ControlSocket.now()
                let silent = try await ScreenLooks.take(of: socket, for: Interop.isSoak ? 8 : 4, in: venue)
                let held = silent.looks.filter { $0.asked - killed < 1 }
                #expect(before.movesSince != nil && !before.hasBlack && !silent.hasBlack)
                #expect(held.allSatisfy { $0.number ?? 0 > 0 }, "the last picture is held at first")
                let again = ControlSocket.now()
                _ = try Self.send(video, to: target, in: venue)
                let after = try await ScreenLooks.takeUntilItMoves(of: socket, within: 8, in: venue)
                let back = try #require(after.movesSince) - again
                #expect(!after.hasBlack && back < Self.backWithin + 1, "ffmpeg needs a moment, too: \(back) s")
                print("sender killed: pictures \(back) s after the next one began")
                try Peer.ffmpeg.log(test: #function, checks: silent.looks.count + after.looks.count)
            }
        }

        /// The service is killed and started again, as systemd would: it finds its channel by itself.
        @Test(.enabled(if: Peer.ffmpeg.isThere)) func serviceIsKilled() async throws {
            try await TestVenue.open { venue in
                let (target, video) = (StreamTarget(), try await CountedVideo.make(in: venue))
                _ = try Self.send(video, to: target, in: venue)
                let settings: JSONValue = ["channels": [target.json], "playback": ["autoTune": "One"]]
                var slowest = 0.0
                for _ in 0..<3 {
                    let began = ControlSocket.now()
                    let box = try await BoxProcess(settings, in: venue)
                    let socket = try ControlSocket(box.socket)
                    let looks = try await ScreenLooks.takeUntilItMoves(of: socket, within: 6, in: venue)
                    #expect(!looks.hasBlack, "a slate comes before the first picture")
                    slowest = max(slowest, try #require(looks.movesSince) - began)
                    box.process.signal(SIGKILL)
                    #expect(try await box.process.exitCode(within: .seconds(2)) == -SIGKILL)
                }
                #expect(slowest < Self.backWithin)
                print("service killed: pictures \(slowest) s after its start at the latest")
                try Peer.ffmpeg.log(test: #function, checks: 3)
            }
        }

        /// The disk that the box keeps its state on is full before the box has ever written to it.
        @Test(.enabled(if: Peer.ffmpeg.isThere && getuid() == 0)) func diskIsFull() async throws {
            try await TestVenue.open { venue in
                let (target, video) = (StreamTarget(), try await CountedVideo.make(in: venue))
                _ = try Self.send(video, to: target, in: venue)
                let disk = venue.directory.file("disk")
                try FileManager.default.createDirectory(atPath: disk, withIntermediateDirectories: false)
                // In a namespace of its own, so that nothing is left to unmount.
                let mount = "mount -t tmpfs -o size=4k,nr_inodes=3 none \(disk) && touch \(disk)/a \(disk)/b"
                let box = try await BoxProcess(
                    ["channels": [target.json], "playback": ["autoTune": "One"]], state: disk,
                    through: ["unshare", "--mount", "sh", "-c", mount + " && exec \"$@\"", "sh"], in: venue)
                let socket = try ControlSocket(box.socket)
                let looks = try await ScreenLooks.takeUntilItMoves(of: socket, within: 6, in: venue)
                #expect(!looks.hasBlack && looks.movesSince != nil)
                let events = try await box.answer("events")["events"]?.array ?? []
                #expect(events.contains { $0["type"] == "service.identityNotKept" })
                _ = try await box.answer("volume", "30")
                #expect(try await box.answer("status")["volume"] == 30)
                try Peer.ffmpeg.log(test: #function, checks: looks.looks.count)
            }
        }

        private static func send(
            _ video: CountedVideo, to target: StreamTarget, in venue: TestVenue
        ) throws -> ChildProcess {
            let source = ["ffmpeg", "-nostdin", "-loglevel", "error", "-re", "-stream_loop", "-1", "-i", video.path]
            return try venue.start(source + ["-c", "copy"] + target.output(), name: "ffmpeg")
        }
    }
}
