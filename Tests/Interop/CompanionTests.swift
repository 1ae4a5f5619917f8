// SPDX-License-Identifier: Apache-2.0
import Foundation
import JSON
import Measuring
import Testing

extension Interop {
    /// G-24: clients of BBC's pydvbcss, of CSS-CII, of the wall clock and of CSS-TS, follow a box that leads through
    /// what is done there.
    @Suite(.enabled(if: Peer.ffmpeg.isThere && Peer.pydvbcss.isThere)) struct CompanionTests {
        /// Seconds by which the picture of the box may be off the place that a companion has found.
        private static let nearby = 0.06

        private final class Companion {
            private let process: ChildProcess
            /// It ends when its standard input does.
            private let input = Pipe()

            init(_ words: [String], in venue: TestVenue) throws {
                let program = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
                    .appendingPathComponent("companion.py")
                let python = ["env", "PYTHONPATH=\(Peer.pydvbcssFolder)", Peer.pydvbcss.path, "-B", program.path]
                process = try venue.start(
                    python + words, name: "companion-\(words[0])", input: input.fileHandleForReading)
            }

            /// The newest line that fits.
            func last(where fits: (JSONValue) -> Bool) throws -> JSONValue? {
                let whole = process.outputText.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
                let lines = try whole.map { try JSONValue.parse(Array($0.utf8)) }
                return lines.last(where: fits)
            }

            func line(_ what: String, _ fits: (JSONValue) -> Bool) async throws -> JSONValue {
                var found: JSONValue?
                _ = try await eventually(within: .seconds(10)) {
                    found = try last(where: fits)
                    return found != nil || !process.isRunning
                }
                guard let found else {
                    throw VenueError("\(what): \(process.outputText.suffix(1_000))\(process.messages)")
                }
                return found
            }

            /// When the picture with time stamp 0 would have been presented, seconds of `ControlSocket.now`, by the
            /// newest position; nil while that stands or is not known.
            func origin() throws -> Double? {
                guard let line = try last(where: { $0["dispersion"] != nil }), line["speed"]?.number == 1,
                    let position = line["position"]?.number, let time = line["wallClock"]?.number
                else { return nil }
                return time / 1e9 - position / 90_000
            }

            /// Of the newest position, and only if that stands.
            func heldPosition() throws -> Double? {
                guard let line = try last(where: { $0["dispersion"] != nil }), line["speed"]?.number == 0 else {
                    return nil
                }
                return line["position"]?.number
            }
        }

        @Test func foreignCompanionsFollowABoxThatLeads() async throws {
            try await TestVenue.open { venue in
                let (target, video) = (StreamTarget(), try await CountedVideo.make(seconds: 120, in: venue))
                try venue.start(StreamTarget.paced([video.path]) + target.output(), name: "ffmpeg")
                let serve: JSONValue = [
                    "isEnabled": true, "addresses": ["127.0.0.1"], "port": 0, "wallClockPort": 0,
                ]
                let box = try await BoxProcess(["channels": [target.json], "sync": ["serve": serve]], in: venue)
                try await box.tune("One")
                let leader = try GroupScene.Member(box)
                let served = try #require(try leader.socket.ask("sync").result["served"]?.string)

                let information = try Companion(["cii", served], in: venue)
                let line = try await information.line("information") { $0["message"] != nil }
                let told = try #require(line["message"])
                #expect(told["protocolVersion"] == "1.1" && told["presentationStatus"] == "okay")
                #expect(told["contentIdStatus"] == "final")
                let content = try #require(told["contentId"]?.string)
                #expect(content.hasPrefix("urn:touchline:channel:"))
                let timelineURL = try #require(told["tsUrl"]?.string)
                let clockURL = try #require(told["wcUrl"]?.string)
                try await expectSameClock(clockURL, in: venue)

                let selector = "urn:dvb:css:timeline:pts"
                let timeline = try Companion(["ts", timelineURL, content, selector, "90000", clockURL], in: venue)
                try await follow(timeline, leader)
                #expect(try leader.socket.ask("sync").result["followers"] == 1)
                try Peer.pydvbcss.log(test: #function, checks: 14)
            }
        }

        /// Both clocks are this machine's, so that all that a companion finds between them is its error.
        private func expectSameClock(_ url: String, in venue: TestVenue) async throws {
            let place = try #require(URLComponents(string: url))
            let host = try #require(place.host)
            let port = try #require(place.port)
            let clock = try Companion(["wc", host, "\(port)", "--seconds", "30"], in: venue)
            let line = try await clock.line("wall clock") { $0["offset"]?.number != nil }
            let offset = try #require(line["offset"]?.number)
            let dispersion = try #require(line["dispersion"]?.number)
            print("companion: the wall clock is off by \(offset) ns, within \(dispersion) s")
            #expect(abs(offset) <= dispersion * 1e9 + 1e6)
            #expect(dispersion < 0.1)
        }

        /// What is done to the box is done to its companion: a pause, and a rewind.
        private func follow(_ timeline: Companion, _ leader: GroupScene.Member) async throws {
            try await expectTogether(timeline, leader, "live")
            _ = try leader.socket.ask("pause")
            let isHeld = try await eventually(within: .seconds(5)) {
                let shown = try leader.socket.ask("stats").result.at("/stats/stage/presentedPTS")?.number ?? .nan
                let position = try timeline.heldPosition() ?? .nan
                return position >= shown && position < shown + Double(CountedVideo.frameSpan)
            }
            #expect(isHeld, "it stands with the picture that the box shows")
            _ = try leader.socket.ask("play")
            let before = try await expectTogether(timeline, leader, "playing again")
            let hasPast = try await eventually(within: .seconds(10)) {
                try leader.socket.ask("position").result["availableMs"]?.integer ?? 0 > 6_000
            }
            #expect(hasPast)
            _ = try leader.socket.ask("rewind", ["ms": 3_000])
            let isBack = try await eventually(within: .seconds(5)) {
                let origin = try timeline.origin() ?? .nan
                return abs(origin - before - 3) < 0.2
            }
            #expect(isBack, "by three seconds")
            try await expectTogether(timeline, leader, "rewound")
        }

        /// - Returns: the origin of the companion's timeline.
        @discardableResult
        private func expectTogether(
            _ timeline: Companion, _ leader: GroupScene.Member, _ phase: String
        ) async throws -> Double {
            var (theirs, ours) = (Double.nan, Double.nan)
            let isTogether = try await eventually(within: .seconds(10)) {
                var origins: [Double] = []
                for _ in 0..<9 {
                    origins.append(try leader.origin())
                    try await Task.sleep(for: .milliseconds(53))
                }
                // A picture stays for a while: in the mean a look is half of that late.
                ours = ToneAnalysis.median(origins) - GroupScene.picture / 2
                theirs = try timeline.origin() ?? .nan
                return abs(theirs - ours) <= Self.nearby
            }
            #expect(isTogether, "\(phase): \(theirs) for the companion, \(ours) on the screen")
            print("companion, \(phase): \(theirs - ours) s apart")
            return theirs
        }
    }
}
