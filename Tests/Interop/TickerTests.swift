// SPDX-License-Identifier: Apache-2.0
import Foundation
import JSON
import Testing

extension Interop {
    /// Issue 4, "Shows 3": how far a ticker moves over a playing channel, measured from outside.
    @Suite(.enabled(if: Peer.ffmpeg.isThere)) struct TickerTests {
        /// Of an output without a display, and of the command.
        private static let (framesPerSecond, pixelsPerSecond) = (50, 200)
        private static let step = pixelsPerSecond / framesPerSecond
        /// Its rows: lines of 16 pixels in a safe area of 5 %.
        private static let (top, height) = (18, 24)

        /// No two places of it look alike.
        private static let text = (1...60).map { "\($0 * 7_919 % 10_007) \($0 * 104_729 % 1_009)" }
            .joined(separator: " – ")

        private struct Look {
            let picture: Data
            /// Pictures that the stage had presented before, and afterwards.
            let presented: ClosedRange<Int64>
        }

        private func looks(_ box: ControlSocket, for seconds: Double) async throws -> [Look] {
            func presented() throws -> Int64 {
                try box.ask("stats").result.at("/stats/stage/presentations")?.integer ?? 0
            }
            var looks: [Look] = []
            var before = try presented()
            let end = ControlSocket.now() + seconds
            while ControlSocket.now() < end {
                guard let picture = try box.ask("screenshot").result["png"]?.string.flatMap({ Data(base64Encoded: $0) })
                else { throw VenueError("no picture in the answer") }
                let after = try presented()
                looks.append(Look(picture: picture, presented: before...after))
                before = after
                try await Task.sleep(for: .milliseconds(10))
            }
            return looks
        }

        /// White pixels of the ticker, by column.
        private func profiles(_ looks: [Look], in venue: TestVenue) async throws -> [[Int]] {
            for (index, look) in looks.enumerated() {
                try look.picture.write(to: URL(fileURLWithPath: venue.directory.file("ticker-\(index).png")))
            }
            let raw = venue.directory.file("ticker.gray")
            let rows = "crop=\(CountedVideo.width):\(Self.height):0:\(Self.top)"
            try await venue.succeed(
                CountedVideo.ffmpeg + [
                    "-i", venue.directory.file("ticker-%d.png"), "-vf", rows, "-fps_mode", "passthrough", "-f",
                    "rawvideo", "-pix_fmt", "gray", raw,
                ])
            let octets = [UInt8](FileManager.default.contents(atPath: raw) ?? Data())
            let picture = CountedVideo.width * Self.height
            guard octets.count == looks.count * picture else { throw VenueError("pictures of another size") }
            return looks.indices.map { index in
                (0..<CountedVideo.width).map { column in
                    (0..<Self.height).count { octets[index * picture + $0 * CountedVideo.width + column] > 127 }
                }
            }
        }

        /// How far to the left `after` is of `before`: where they are most alike.
        /// - Returns: nil where too little of the one is seen in the other.
        private func displacement(_ before: [Int], _ after: [Int]) -> Int? {
            let differences = (0...120).map { way in
                zip(before[way...], after).reduce(0) { $0 + abs($1.0 - $1.1) }
            }
            guard let least = differences.min(), let way = differences.firstIndex(of: least) else { return nil }
            let ink = zip(before[way...], after).reduce(0) { $0 + min($1.0, $1.1) }
            return ink > 150 && least < ink / 4 ? way : nil
        }

        /// Always whole steps; and as many as the stage has presented pictures, from the first look to the last.
        @Test func isTheSameInEachFrame() async throws {
            try await TestVenue.open { venue in
                let target = StreamTarget()
                try await LiveCounter.start(to: target, in: venue)
                let box = try await BoxProcess(["channels": [target.json]], in: venue)
                try await box.tune("One")
                _ = try await box.answer(
                    "ticker", Self.text, "--pixels-per-second", "\(Self.pixelsPerSecond)", "--position", "top")
                let socket = try ControlSocket(box.socket)
                let looks = try await looks(socket, for: min(60, Interop.playSeconds(usual: 6)))
                let missed = try await box.counter("/stage/framesMissed")
                let profiles = try await profiles(looks, in: venue)
                // Since the first look of a row of looks that are each seen to follow the one before.
                var (first, way, measured, longest) = (0, 0, 0, 0)
                for index in looks.indices.dropFirst() {
                    guard let moved = displacement(profiles[index - 1], profiles[index]) else {
                        (first, way) = (index, 0)
                        continue
                    }
                    #expect(moved.isMultiple(of: Self.step), "look \(index) moved by \(moved)")
                    way += moved
                    measured += 1
                    longest = max(longest, index - first)
                    let (start, end) = (looks[first].presented, looks[index].presented)
                    let frames = Int(end.lowerBound - start.upperBound)...Int(end.upperBound - start.lowerBound)
                    #expect(
                        frames.contains(way / Self.step), "looks \(first) to \(index) moved by \(way) in \(frames)")
                }
                // It comes in from the edge, once; and where one end of it follows the other.
                #expect(measured > looks.count * 8 / 10, "\(measured) of \(looks.count) looks")
                #expect(looks.count > 20)
                print(
                    "ticker: \(looks.count) looks, \(measured) measured, \(longest) in a row; \(Self.step) pixels a"
                        + " frame, \(missed) frames missed")
                try Peer.ffmpeg.log(test: "ticker", checks: measured)
            }
        }
    }
}
