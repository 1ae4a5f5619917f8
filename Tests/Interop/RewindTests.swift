// SPDX-License-Identifier: Apache-2.0
import Foundation
import JSON
import Testing

extension Interop {
    /// SVM-57…61 and 83, 84 by the counter on the screen: where the playback clock says that it is, it is.
    @Suite(.enabled(if: Peer.ffmpeg.isThere)) struct RewindTests {
        /// The soak's form is the issue's own: 40 s played, 30 s kept, 20 s back. Of what is kept up to 2.3 s cannot be gone
        /// back to: a second from one random-access point to the next, one before the first of them, and the delay.
        private static let isLong = Interop.isSoak
        private static let history = isLong ? 30.0 : 10
        private static let part = isLong ? 20.0 : 4

        /// A picture, and what looking takes.
        private static let tolerance = 0.045

        private final class Scene {
            let venue: TestVenue
            let box: BoxProcess
            let socket: ControlSocket
            /// Of the counter at live.
            let origin: Double

            init(in venue: TestVenue) async throws {
                self.venue = venue
                let target = StreamTarget()
                try await LiveCounter.start(to: target, in: venue)
                box = try await BoxProcess(
                    [
                        "channels": [target.json],
                        "playback": ["historyMs": .integer(Int64(RewindTests.history * 1_000))],
                    ], in: venue)
                socket = try ControlSocket(box.socket)
                try await box.tune("One")
                let wanted = RewindTests.isLong ? 40.0 : RewindTests.history
                try await Task.sleep(for: .seconds(wanted))
                let live = try await CounterLooks.take(12, of: socket, in: venue)
                #expect(live.looks.count == 12 && live.isSteady, "\(live)")
                origin = live.origin
            }

            /// - Parameter wanted: where it shall be. A machine that stood still for a moment shows it a little later: there
            ///   are three looks.
            /// - Returns: seconds behind live, by the counter.
            func behind(wanted: Double) async throws -> Double {
                for turn in 1...3 {
                    let looks = try await CounterLooks.take(6, of: socket, in: venue)
                    let seen = looks.origin - origin
                    guard turn == 3 || looks.isSteady && abs(seen - wanted) <= RewindTests.tolerance else { continue }
                    #expect(looks.looks.count == 6 && looks.isSteady, "\(looks)")
                    return seen
                }
                return .nan
            }

            func position() throws -> JSONValue { try socket.ask("position").result }

            /// Everything that has been told since, but progress: `video.channelState rewind`.
            func events(since: Int64) throws -> [String] {
                let result = try socket.ask("events", ["since": .integer(since)]).result
                return (result["events"]?.array ?? []).compactMap { event in
                    guard let type = event["type"]?.string, type != "session.progress" else { return nil }
                    return type + " " + (event.at("/payload/channelState")?.string ?? "")
                }
            }

            func lastEvent() throws -> Int64 {
                let all = try socket.ask("events").result["events"]?.array ?? []
                return all.compactMap { $0["sequence"]?.integer }.max() ?? 0
            }
        }

        private enum Place: CustomStringConvertible {
            case behind(Double)
            case oldest

            var description: String {
                switch self {
                case .behind(let seconds): "\(seconds) s behind live"
                case .oldest: "the oldest picture"
                }
            }
        }

        private static let table: [(command: String, seconds: Double?, to: Place)] = [
            ("seek-absolute", part, .behind(part)),
            ("seek-relative", -2, .behind(part + 2)),
            ("seek-relative", 4, .behind(part - 2)),
            ("rewind", 3, .behind(part + 1)),
            ("rewind", -2, .behind(part + 3)),
            ("seek-absolute", 5, .behind(5)),
            ("seek-relative", 60, .behind(0)),
            ("seek-absolute", part, .behind(part)),
            ("seek-absolute", -5, .behind(0)),
            ("seek-relative", -60, .oldest),
            ("live", nil, .behind(0)),
            ("rewind", 60, .oldest),
            ("seek-absolute", 600, .oldest),
            ("seek-absolute", 0, .behind(0)),
        ]

        @Test func theTable() async throws {
            try await TestVenue.open { venue in
                let scene = try await Scene(in: venue)
                for (command, seconds, place) in Self.table {
                    let row: Comment = "\(command) \(seconds.map { "\($0)" } ?? "") to \(place)"
                    let arguments: JSONValue = seconds.map { ["ms": .integer(Int64($0 * 1_000))] } ?? [:]
                    let answer = try scene.socket.ask(command, arguments)
                    let reached = Double(answer.result["offsetMs"]?.integer ?? -1) / 1_000
                    let seen = try await scene.behind(wanted: reached)
                    print("\(row): answered \(reached), seen \(seen), within \(answer.answered - answer.asked)")
                    #expect(abs(seen - reached) <= Self.tolerance, row)
                    let told = Double(try scene.position()["offsetMs"]?.integer ?? -1) / 1_000
                    #expect(abs(told - reached) <= Self.tolerance, row)
                    switch place {
                    case .behind(let wanted): #expect(abs(seen - wanted) <= Self.tolerance, row)
                    case .oldest:
                        // From one random-access point to the next there is a second.
                        #expect(seen > Self.history - 2.5 && seen < Self.history + 0.5, row)
                    }
                }
                let rests = try await scene.box.counters(
                    "/playback/decodeErrors", "/playback/damagedFrames", "/stage/drawErrors")
                #expect(rests == [0, 0, 0])
                try Peer.ffmpeg.log(test: "rewind", checks: Self.table.count)
                try await liveIsSeekAbsoluteZero(scene)
                try await seekDuringASeek(scene)
                try await pauseAndResume(scene)
                try await stopAndTuneKeepTheHistory(scene)
            }
        }

        /// SVM-60, event for event.
        private func liveIsSeekAbsoluteZero(_ scene: Scene) async throws {
            var traces: [[String]] = []
            for (command, arguments) in [("live", [:]), ("seek-absolute", ["ms": 0])] as [(String, JSONValue)] {
                for start in [5_000, 0] as [Int64] {
                    _ = try scene.socket.ask("seek-absolute", ["ms": .integer(start)])
                    let before = try scene.lastEvent()
                    let answer = try scene.socket.ask(command, arguments)
                    traces.append(try scene.events(since: before) + [answer.result.text()])
                }
            }
            #expect(traces[0] == traces[2] && traces[1] == traces[3], "\(traces)")
            #expect(traces[0].first == "video.channelState live", "\(traces)")
        }

        private func seekDuringASeek(_ scene: Scene) async throws {
            try scene.socket.send("seek-absolute", ["ms": 6_000])
            try scene.socket.send("seek-absolute", ["ms": 3_000])
            let answers = try scene.socket.answers(2)
            #expect(answers[0].at("/status/isOk") == false, "\(answers)")
            #expect(answers[0].at("/status/errorString")?.string?.contains("interrupted") == true, "\(answers)")
            #expect(answers[1].at("/status/isOk") == true, "\(answers)")
            let seen1 = try await scene.behind(wanted: 3)
            #expect(abs(seen1 - 3) <= Self.tolerance)
            _ = try scene.socket.ask("live")
        }

        private func pauseAndResume(_ scene: Scene) async throws {
            let length = Self.isLong ? 10.0 : 3
            let paused = try scene.socket.ask("pause")
            let standing = try await CounterLooks.take(3, of: scene.socket, in: scene.venue)
            #expect(standing.isStanding, "\(standing)")
            try await Task.sleep(for: .seconds(length - 0.5))
            let still = try await CounterLooks.take(2, of: scene.socket, in: scene.venue)
            #expect(still.looks.map(\.number).allSatisfy { $0 == standing.looks.first?.number }, "\(still)")
            let resumed = try scene.socket.ask("play")
            // It goes on where it stood: as far behind as it was paused for.
            let expected = (resumed.asked + resumed.answered - paused.asked - paused.answered) / 2
            let seen = try await scene.behind(wanted: expected)
            #expect(abs(seen - expected) <= Self.tolerance + 0.02, "\(seen) behind, paused for \(expected)")
            _ = try scene.socket.ask("live")
            let seen2 = try await scene.behind(wanted: 0)
            #expect(abs(seen2) <= Self.tolerance)
        }

        private func stopAndTuneKeepTheHistory(_ scene: Scene) async throws {
            _ = try scene.socket.ask("stop")
            try await scene.box.tune("One")
            let available = Double(try scene.position()["availableMs"]?.integer ?? 0) / 1_000
            #expect(available > Self.history - 3, "\(available) s are left")
            let answer = try scene.socket.ask("seek-absolute", ["ms": .integer(Int64(Self.part * 1_000))])
            #expect(abs(Double(answer.result["offsetMs"]?.integer ?? 0) / 1_000 - Self.part) < 0.05)
            // The start anew may be some pictures nearer to live or farther than the first one was.
            let seen3 = try await scene.behind(wanted: Self.part)
            #expect(abs(seen3 - Self.part) <= 0.3)
        }
    }
}
