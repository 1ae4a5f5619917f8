// SPDX-License-Identifier: Apache-2.0
import Foundation
import JSON
import Testing

extension Interop {
    /// Four boxes show one frame: one serves what it plays, and three follow it (G-53, G-54). They need different times until
    /// they can show a picture.
    @Suite(.enabled(if: Peer.ffmpeg.isThere)) struct TogetherTests {
        private static let delays = [200, 300, 1_200, 500]

        /// Milliseconds by which a follower may be off; among processes on one busy machine.
        private static let nearby = 20.0

        /// In how many seconds a follower is locked that has its first picture, and that nobody has to wait for.
        private static let locking = 5.0

        @Test func fourBoxesAreTogether() async throws {
            try await TestVenue.open { venue in
                let (target, video) = (StreamTarget(), try await CountedVideo.make(in: venue))
                let input = ["-re", "-stream_loop", "-1", "-i", video.path, "-c", "copy"]
                try venue.start(
                    ["ffmpeg", "-nostdin", "-loglevel", "error"] + input + target.output(), name: "ffmpeg")
                var (sockets, served): ([ControlSocket], JSONValue) = ([], .null)
                for (number, delay) in Self.delays.enumerated() {
                    let sync: JSONValue =
                        number == 0
                        ? [
                            "serve": [
                                "isEnabled": true, "addresses": ["127.0.0.1"], "port": 0, "wallClockPort": 0,
                            ]
                        ] : ["television": served, "leader": "box"]
                    let box = try await BoxProcess(
                        [
                            "channels": [target.json], "sync": sync,
                            "playback": ["playoutDelayMs": .integer(Int64(delay))],
                        ], in: venue)
                    try await box.tune("One")
                    sockets.append(try ControlSocket(box.socket))
                    if number == 0 { served = try #require(try sockets[0].ask("sync").result["served"]) }
                }
                let (leader, followers) = (sockets[0], Array(sockets[1...]))
                try await Self.lock(followers, "from the tune")
                try Self.expectLockedSoon(followers[0])
                // What is done to one is done to all, those who came late included.
                _ = try leader.ask("rewind", ["ms": 5_000])
                try await Self.lock(followers, "rewound")
                _ = try leader.ask("pause")
                try await Self.await(followers, "paused") { $0["state"]?.string == "paused" }
                _ = try leader.ask("play")
                try await Self.lock(followers, "playing again")
                _ = try leader.ask("live")
                try await Self.lock(followers, "live")
                try Peer.ffmpeg.log(test: #function, checks: 5 * followers.count + 1)
            }
        }

        /// Each follower presents together with the leader, by its own measurement, at three looks in a row.
        private static func lock(_ followers: [ControlSocket], _ phase: String) async throws {
            let began = Date()
            var reached: Double?
            for _ in 0..<3 {
                try await Self.await(followers, phase) { report in
                    guard report["state"]?.string == "running" || report["state"]?.string == "synchronising",
                        let error = report["errorUs"]?.integer
                    else { return false }
                    return Double(error.magnitude) <= nearby * 1_000
                }
                reached = reached ?? -began.timeIntervalSinceNow
                try await Task.sleep(for: .milliseconds(300))
            }
            let errors = try followers.map { try $0.ask("sync").result["errorUs"]?.integer ?? .max }
            print("together, \(phase): \(errors) us late after \(reached ?? 0) s")
        }

        /// By its own events: from the first picture until it is where the leader is, for which it had to wait once.
        private static func expectLockedSoon(_ follower: ControlSocket) throws {
            let events = try follower.ask("events").result["events"]?.array ?? []
            let played = try #require(events.first { $0["type"] == "session.play" })
            let states = events.filter { $0["type"] == "sync.state" }
            let corrected = try #require(states.firstIndex { $0.at("/payload/name") == "synchronising" })
            let locked = try #require(states[corrected...].first { $0.at("/payload/name") == "running" })
            let took = SyncTrace.time(of: locked) - SyncTrace.time(of: played)
            print("together: locked \(took) s after the first picture, by the events of the box")
            #expect(took <= locking)
        }

        private static func await(
            _ followers: [ControlSocket], _ phase: String, _ isReached: (JSONValue) -> Bool
        ) async throws {
            let end = Date() + 20
            while true {
                let reports = try followers.map { try $0.ask("sync").result }
                if reports.allSatisfy(isReached) { return }
                guard Date() < end else { throw VenueError("\(phase): \(reports)") }
                try await Task.sleep(for: .milliseconds(100))
            }
        }
    }
}
