// SPDX-License-Identifier: Apache-2.0
import Foundation
import JSON
import Testing

extension Interop {
    /// A message for one picture is with that picture on each box: on one that leads, on one that follows it and is told
    /// the time of the timeline, and on one that is elsewhere (CSS-05).
    @Suite(.enabled(if: Peer.ffmpeg.isThere)) struct TimelineTextTests {
        private static let (first, length) = (75, 50)

        private struct Look {
            let number: Int
            let hasText: Bool
        }

        @Test func aTextIsWithItsPicture() async throws {
            try await TestVenue.open { venue in
                let target = StreamTarget()
                try await LiveCounter.start(to: target, in: venue)
                let serve: JSONValue = [
                    "isEnabled": true, "addresses": ["127.0.0.1"], "port": 0, "wallClockPort": 0,
                ]
                let leader = try await open(target, ["serve": serve], delay: 300, in: venue)
                let served = try #require(try leader.ask("sync").result["served"])
                let follower = try await open(target, ["television": served, "leader": "box"], delay: 900, in: venue)
                let other = try await open(target, [:], delay: 200, in: venue)
                let isLocked = try await eventually(within: .seconds(20)) {
                    let report = try follower.ask("sync").result
                    return report["errorUs"]?.integer.map { $0.magnitude < 20_000 } ?? false
                }
                let report = try follower.ask("sync").result
                let leading = try leader.ask("sync").result
                #expect(isLocked, "\(report.text()), the leader: \(leading.text())")
                let stamp = try #require(
                    try leader.ask("stats").result.at("/stats/stage/presentedPTS")?.integer)
                let at = stamp + Int64(Self.first) * 3_600
                let message: JSONValue = [
                    "text": "Goal", "at": .integer(at), "durationMs": .integer(Int64(Self.length) * 40),
                ]
                _ = try leader.ask("message", message)
                _ = try follower.ask("message", message.merging(patch: ["timeline": "sync"]))
                _ = try other.ask("message", message)
                let refusal = try? leader.ask("message", message.merging(patch: ["timeline": "sync"]))
                #expect(refusal == nil, "the leader follows no timeline")
                let began = ControlSocket.now()
                var looks = try await look([leader, follower, other], for: 7, in: venue)
                // Once more, from the history, on one alone; to read the numbers has taken its time, too.
                let since = Int64((ControlSocket.now() - began) * 1_000)
                _ = try other.ask("rewind", ["ms": .integer(since)])
                looks.append(contentsOf: try await look([other], for: 7, in: venue))
                let with = looks.map { $0.filter(\.hasText).map(\.number) }
                let all = looks.flatMap { $0 }
                let shown = try #require(with.flatMap { $0 }.min())...(try #require(with.flatMap { $0 }.max()))
                print("text: pictures \(shown) of \(all.count) looks, with it \(with.map(\.count))")
                #expect(with.allSatisfy { $0.count > 5 })
                #expect(!all.contains { !$0.hasText && shown.contains($0.number) }, "on each box the same pictures")
                #expect((Self.length - 4...Self.length).contains(shown.count))
                #expect(all.contains { $0.number < shown.lowerBound } && all.contains { $0.number > shown.upperBound })
                try Peer.ffmpeg.log(test: #function, checks: all.count)
            }
        }

        private func open(
            _ target: StreamTarget, _ sync: JSONValue, delay: Int64, in venue: TestVenue
        ) async throws -> ControlSocket {
            let box = try await BoxProcess(
                ["channels": [target.json], "sync": sync, "playback": ["playoutDelayMs": .integer(delay)]], in: venue)
            try await box.tune("One")
            return try ControlSocket(box.socket)
        }

        /// What each box shows, in turn, for some seconds.
        private func look(_ boxes: [ControlSocket], for seconds: Double, in venue: TestVenue) async throws -> [[Look]] {
            var pictures: [[Data]] = boxes.map { _ in [] }
            let end = ControlSocket.now() + seconds
            while ControlSocket.now() < end {
                for (index, box) in boxes.enumerated() {
                    let answer = try box.ask("screenshot").result["png"]?.string
                    guard let picture = answer.flatMap({ Data(base64Encoded: $0) }) else {
                        throw VenueError("no picture in the answer")
                    }
                    pictures[index].append(picture)
                }
                try await Task.sleep(for: .milliseconds(30))
            }
            var looks: [[Look]] = []
            for row in pictures { looks.append(try await Self.read(row, in: venue)) }
            return looks
        }

        private static func read(_ pictures: [Data], in venue: TestVenue) async throws -> [Look] {
            let folder = venue.directory.file("looks-\(UInt32.random(in: 0 ... .max))")
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
            for (index, picture) in pictures.enumerated() {
                try picture.write(to: URL(fileURLWithPath: "\(folder)/\(index).png"))
            }
            let raw = "\(folder)/all.rgb"
            try await venue.succeed(
                CountedVideo.ffmpeg + [
                    "-i", "\(folder)/%d.png", "-fps_mode", "passthrough", "-f", "rawvideo", "-pix_fmt", "rgb24", raw,
                ])
            let all = FileManager.default.contents(atPath: raw) ?? Data()
            let octets = CountedVideo.width * CountedVideo.height * 3
            guard all.count == pictures.count * octets else { throw VenueError("screenshots of another size") }
            return pictures.indices.compactMap { index in
                let picture = all[index * octets..<(index + 1) * octets]
                return CountedVideo.number(in: picture).map { Look(number: $0, hasText: hasText(picture)) }
            }
        }

        /// Whether the margin above the text is as dark as the panel of a message, which is as wide as its text.
        private static func hasText(_ picture: Data) -> Bool {
            let (columns, rows) = (290..<350, 156..<166)
            var dark = 0
            for y in rows {
                for x in columns {
                    let pixel = picture.startIndex + (y * CountedVideo.width + x) * 3
                    if picture[pixel..<pixel + 3].allSatisfy({ $0 < 72 }) { dark += 1 }
                }
            }
            return dark * 10 > columns.count * rows.count * 9
        }
    }
}
