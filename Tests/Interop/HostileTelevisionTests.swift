// SPDX-License-Identifier: Apache-2.0
import Foundation
import JSON
import Testing

extension Interop {
    /// A television that does what none should: its messages and frames are rubbish, too many, too long, or none.
    @Suite(.enabled(if: Peer.ffmpeg.isThere && Peer.websockets.isThere)) struct HostileTelevisionTests {
        private static let deeds = ["garbage", "silent", "oversized", "endless", "frames", "flood"]

        private final class Server {
            let process: ChildProcess
            let port: Int

            init(in venue: TestVenue) async throws {
                port = Int.random(in: 30_000...31_998)
                let program = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
                    .appendingPathComponent("hostile_television.py").path
                process = try venue.start(
                    [Peer.websockets.path, "-B", program, "\(port)", "\(port + 1)"], name: "television")
                guard try await count(#"{"ready": true}"#, reaches: 1) else { throw VenueError("no server") }
            }

            /// Whether it has written a line so often within 10 s.
            func count(_ line: String, reaches count: Int) async throws -> Bool {
                try await eventually(within: .seconds(10)) {
                    process.outputText.split(separator: "\n").count { $0 == line } >= count
                }
            }
        }

        @Test func pictureAndSoundGoOn() async throws {
            try await TestVenue.open { venue in
                let (target, video) = (StreamTarget(), try await CountedVideo.make(seconds: 120, in: venue))
                let server = try await Server(in: venue)
                let box = try await BoxProcess(["channels": [target.json]], in: venue)
                try venue.start(StreamTarget.paced([video.path]) + target.output(), name: "ffmpeg")
                try await box.tune("One")
                let socket = try ControlSocket(box.socket)
                try await joinFair(server, socket)
                _ = try await ScreenLooks.takeUntilItMoves(of: socket, within: 8, in: venue)

                let before = try await CounterLooks.take(5, of: socket, in: venue)
                let (counters, descriptors) = (try await played(box), try box.descriptorCount)
                for deed in Self.deeds {
                    try await join(deed, of: server, socket)
                    // Meanwhile it hangs up, or is hung up on, and comes again.
                    try await Task.sleep(for: .milliseconds(300))
                    try await join("ts-" + deed, of: server, socket)
                    try await Task.sleep(for: .milliseconds(300))
                }
                try await join("silent", of: server, socket)
                #expect(try await isTold("silent", socket))
                #expect(try await isTold("malformed", socket))
                let after = try await CounterLooks.take(5, of: socket, in: venue)
                #expect(before.isSteady && after.isSteady && abs(after.origin - before.origin) < 0.06, "as before")
                let now = try await played(box)
                #expect(now == counters, "missed, starved, slates, silence, skipped, underruns")
                #expect(try socket.ask("sync").result["jumps"] == 0)

                // Time stamps that are well formed and mean nothing may do anything to the picture, but no more.
                try await join("ts-absurd", of: server, socket)
                try await Task.sleep(for: .seconds(1))
                try await joinFair(server, socket)
                let last = try await ScreenLooks.takeUntilItMoves(of: socket, within: 8, in: venue)
                #expect(last.movesSince != nil)
                #expect(box.process.isRunning)
                // Connections that were closed wait for the other side for a while.
                #expect(try await eventually(within: .seconds(10)) { try box.descriptorCount <= descriptors })
                try Peer.websockets.log(test: #function, checks: Self.deeds.count * 2 + 9)
            }
        }

        /// CSS-26: a television whose CSS-CII is not 1.1 is told to be refused, nothing of what it says is believed,
        /// and it is asked again: it may be brought up to date.
        @Test func anotherVersionIsRefused() async throws {
            try await TestVenue.open { venue in
                let server = try await Server(in: venue)
                let box = try await BoxProcess([:], in: venue)
                let socket = try ControlSocket(box.socket)
                try await join("version", of: server, socket)
                #expect(try await isTold("versionRefused", socket))
                let events = try socket.ask("events").result["events"]?.array ?? []
                let refusal = events.first { $0.at("/payload/what") == "versionRefused" }
                // The version as it stood in the message.
                #expect(refusal?.at("/payload/details") == ["\"1.2\""])
                #expect(refusal?.at("/payload/contentId") == .null)
                let report = try socket.ask("sync").result
                #expect(report["phase"] == "informationAwaited" && report["contentId"] == .null)
                let isAskedAgain = try await server.count(#"{"does": "version"}"#, reaches: 2)
                #expect(isAskedAgain)
                #expect(box.process.messages.contains("the television speaks another version version="))
                let read = try await box.run("sync-cii", "ws://127.0.0.1:\(server.port)/cii/version")
                #expect(read.messages.contains("CSS-CII version"), "\(read.messages)")
                try Peer.websockets.log(test: #function, checks: 7)
            }
        }

        /// Follows, and waits until it was done to the box.
        private func join(_ deed: String, of server: Server, _ socket: ControlSocket) async throws {
            let url = "ws://127.0.0.1:\(server.port)/cii/\(deed)"
            _ = try socket.ask("sync-join", ["url": .string(url)])
            let isDone = try await server.count(#"{"does": "\#(deed)"}"#, reaches: 1)
            #expect(isDone, "\(deed): \(server.process.messages.suffix(500))")
        }

        /// Follows the one that behaves, which has no timeline.
        private func joinFair(_ server: Server, _ socket: ControlSocket) async throws {
            try await join("ts-fair", of: server, socket)
            let isFollowed = try await eventually(within: .seconds(10)) {
                try socket.ask("sync").result["phase"] == "timelineUnavailable"
            }
            #expect(isFollowed)
        }

        private func isTold(_ what: String, _ socket: ControlSocket) async throws -> Bool {
            try await eventually(within: .seconds(10)) {
                let events = try socket.ask("events").result["events"]?.array ?? []
                return events.contains {
                    $0["type"] == "sync.television" && $0.at("/payload/what") == .string(what)
                }
            }
        }

        /// Counters of what was not as it should be.
        private func played(_ box: BoxProcess) async throws -> [Int64] {
            try await box.counters(
                "/stage/framesMissed", "/stage/starvations", "/stage/slatesShown", "/sessionSound/silenceFrames",
                "/sessionSound/skippedFrames", "/sound/underruns")
        }
    }
}
