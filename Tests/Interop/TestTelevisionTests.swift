// SPDX-License-Identifier: Apache-2.0
import Foundation
import JSON
import Testing

extension Interop {
    /// CSS-38: a box follows the test television of our head-end, which obeys its standard input, and plays what that
    /// sends.
    @Suite struct TestTelevisionTests {
        private final class TestTelevision {
            let process: ChildProcess
            let url: String
            /// Both ends stay open here, so that nobody gets SIGPIPE when the process has ended.
            private let input = Pipe()

            /// - Parameter path: of the head-end's configuration.
            init(_ path: String, in venue: TestVenue) throws {
                let port = Int.random(in: 30_000...31_999)
                let ports = ["--port", "\(port)", "--wall-clock-port", "\(Int.random(in: 30_000...31_999))"]
                url = "ws://127.0.0.1:\(port)/cii"
                process = try venue.start(
                    [try Programs.path("touchline-streamer"), "tv", "--config", path] + ports, name: "television",
                    input: input.fileHandleForReading)
            }

            /// - Returns: where the timeline was when it had obeyed.
            @discardableResult
            func obey(_ command: String) async throws -> Int64 {
                let before = process.messages.count
                try input.fileHandleForWriting.write(contentsOf: Data((command + "\n").utf8))
                // Its log quotes a value of several words.
                let text = command.contains(" ") ? "\"\(command)\"" : command
                let answer = "command obeyed command=\(text) position="
                var position: Int64?
                _ = try await eventually(within: .seconds(5)) {
                    let lines = process.messages.dropFirst(before).split(separator: "\n")
                    let line = lines.last { $0.contains(answer) }
                    position = line?.split(separator: "=").last.flatMap { Int64($0) }
                    return position != nil || !process.isRunning
                }
                guard let position else { throw VenueError("\(command): \(process.messages.suffix(500))") }
                return position
            }
        }

        private static func configuration(_ target: StreamTarget) -> JSONValue {
            let channel: JSONValue = [
                "number": 1, "name": .string(target.name), "width": 320, "height": 180, "bitrateKbps": 300,
                "preset": "ultrafast",
            ]
            return [
                "streamer": ["id": "television"], "license": BoxProcess.license,
                "network": ["interface": "lo", "hops": 1], "announcements": ["groups": []],
                "channels": [target.group.json.merging(patch: channel)],
            ]
        }

        @Test func aBoxFollowsIt() async throws {
            try await TestVenue.open { venue in
                let target = StreamTarget()
                let path = try venue.directory.write(Self.configuration(target).text(), to: "television.json")
                let television = try TestTelevision(path, in: venue)
                let sync: JSONValue = ["television": .string(television.url)]
                let box = try await BoxProcess(["channels": [target.json], "sync": sync], in: venue)
                let socket = try ControlSocket(box.socket)
                try await box.tune("One")
                try await settle("from the tune", socket, within: .seconds(30))
                try await awaitPast(of: socket)
                let report = try socket.ask("sync").result
                #expect(report["contentId"] == "dvb://233a.1004.1044" && report["presentationStatus"] == "okay")
                try await expectSamePicture(television, socket)

                try await television.obey("play")
                try await settle("playing again", socket)
                let jumps = try socket.ask("sync").result["jumps"]?.integer ?? .max
                try await television.obey("step -1000")
                try await settle("a second back", socket, afterJumps: jumps)
                try await expectSamePicture(television, socket)

                try await television.obey("status fault")
                try await television.obey("content dvb://1.2.3")
                let isTold = try await eventually(within: .seconds(5)) {
                    let report = try socket.ask("sync").result
                    return report["presentationStatus"] == "fault" && report["contentId"] == "dvb://1.2.3"
                }
                #expect(isTold)
                try await television.obey("quit")
                #expect(try await television.process.exitCode(within: .seconds(10)) == 0)
                let isGone = try await eventually(within: .seconds(10)) {
                    try socket.ask("sync").result["phase"] == "informationAwaited"
                }
                #expect(isGone)
            }
        }

        /// Waits until the box can go back by a second: it stands at its first picture until the television is there.
        private func awaitPast(of socket: ControlSocket) async throws {
            func shown() throws -> Int64 {
                try socket.ask("stats").result.at("/stats/stage/presentedPTS")?.integer ?? 0
            }
            let first = try shown()
            let hasPast = try await eventually(within: .seconds(15)) { try shown() > first + 180_000 }
            #expect(hasPast)
        }

        /// Waits until the box presents together with the television, by its own measurement.
        private func settle(
            _ phase: String, _ socket: ControlSocket, afterJumps jumps: Int64 = -1,
            within limit: Duration = .seconds(10)
        ) async throws {
            let isSettled = try await eventually(within: limit) {
                let report = try socket.ask("sync").result
                guard report["state"] == "running", let error = report["errorUs"]?.integer,
                    let count = report["jumps"]?.integer
                else { return false }
                return count > jumps && error.magnitude <= 20_000
            }
            guard isSettled else { throw VenueError("\(phase): \(try socket.ask("sync").result.text())") }
        }

        /// The television stands at a place that it tells itself, and the box shows the picture of that place, to a
        /// millisecond.
        private func expectSamePicture(_ television: TestTelevision, _ socket: ControlSocket) async throws {
            let place = try await television.obey("pause")
            let picture = Int64(CountedVideo.frameSpan)
            var shown: Int64?
            let isShown = try await eventually(within: .seconds(5)) {
                guard try socket.ask("sync").result["state"] == "paused" else { return false }
                shown = try socket.ask("stats").result.at("/stats/stage/presentedPTS")?.integer
                guard let shown else { return false }
                return (-90..<picture + 90).contains(place - shown)
            }
            #expect(isShown, "the television stands at \(place), the box shows \(shown ?? -1)")
        }
    }
}
