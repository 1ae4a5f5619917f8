// SPDX-License-Identifier: Apache-2.0
import Foundation
import JSON
import Testing

extension Interop {
    /// What a strategy does is seen on the presented picture, and is gone when it is taken off (PLAY-33, 39, MEET-46).
    @Suite(.enabled(if: Peer.ffmpeg.isThere)) struct StrategyTests {
        private static let (width, height) = (640, 360)
        /// Of a slate.
        private static let slate: [UInt8] = [0x10, 0x20, 0x38]

        /// Triples of red, green and blue.
        private func pixels(_ box: BoxProcess, in venue: TestVenue) async throws -> [UInt8] {
            let (shot, raw) = (try await box.screenshot("shot.png"), venue.directory.file("shot.rgb"))
            try await venue.succeed(
                CountedVideo.ffmpeg + ["-i", shot, "-f", "rawvideo", "-pix_fmt", "rgb24", raw])
            let pixels = [UInt8](FileManager.default.contents(atPath: raw) ?? Data())
            guard pixels.count == Self.width * Self.height * 3 else { throw VenueError("\(pixels.count) octets") }
            return pixels
        }

        /// Per cent of a place that has the slate's colour.
        private func slate(_ pixels: [UInt8], _ columns: Range<Int>, _ rows: Range<Int>) -> Int {
            var count = 0
            for row in rows {
                for column in columns {
                    let pixel = (row * Self.width + column) * 3
                    if pixels[pixel..<pixel + 3].elementsEqual(Self.slate) { count += 1 }
                }
            }
            return count * 100 / (columns.count * rows.count)
        }

        /// Whether something has the accent's colour left of the region.
        private func hasNumber(_ pixels: [UInt8]) -> Bool {
            (304..<340).contains { row in
                (400..<480).contains { column in
                    let pixel = (row * Self.width + column) * 3
                    return pixels[pixel] < 130 && pixels[pixel + 1] > 140 && pixels[pixel + 2] > 220
                }
            }
        }

        private func settings(_ target: StreamTarget) -> JSONValue {
            let bar: JSONValue = [
                "name": "bar", "layer": "advertisement", "below": ["width": 7_500, "height": 7_500],
                "regions": [["name": "right", "x": 7_500, "width": 2_500, "text": "Buy"]],
            ]
            let alarm: JSONValue = [
                "name": "alarm", "layer": "emergency",
                "regions": [["name": "exit", "text": "Leave", "y": 5_000, "height": 5_000]],
            ]
            return [
                "channels": [target.json], "strategies": [bar, alarm],
                "screenText": ["enabled": true, "bannerMs": 0, "theme": ["corner": "bottomRight"]],
            ]
        }

        @Test func overAndBesideThePicture() async throws {
            try await TestVenue.open { venue in
                let target = StreamTarget()
                try await LiveCounter.start(to: target, in: venue)
                let box = try await BoxProcess(settings(target), in: venue)
                try await box.tune("One")
                let socket = try ControlSocket(box.socket)
                func turn(_ name: String, _ state: String) throws {
                    _ = try socket.ask(
                        "strategy", ["name": .string(name), "state": .string(state), "transition": "cut"])
                }
                func becomes(_ isRight: ([UInt8]) -> Bool) async throws -> Bool {
                    try await eventually(within: .seconds(5)) { isRight(try await pixels(box, in: venue)) }
                }
                let (right, below) = (480..<640, 0..<480)
                #expect(slate(try await pixels(box, in: venue), right, 0..<360) < 30)
                try turn("bar", "on")
                let isBeside = try await becomes { slate($0, right, 0..<360) > 80 && slate($0, below, 0..<270) < 30 }
                #expect(isBeside)
                // PLAY-39: over the banner, whose right half it covers; the number of the channel is left of it.
                _ = try socket.ask("osd", ["item": "banner", "state": "on"])
                let isAbove = try await becomes { slate($0, right, 300..<345) > 80 && hasNumber($0) }
                #expect(isAbove)
                try turn("alarm", "on")
                let isOverAll = try await becomes { slate($0, 0..<640, 190..<350) > 80 }
                #expect(isOverAll)
                try turn("alarm", "off")
                let isBack = try await becomes { slate($0, right, 300..<345) > 80 && hasNumber($0) }
                #expect(isBack)
                _ = try socket.ask("osd", ["item": "banner", "state": "off"])
                try turn("bar", "off")
                let isWhole = try await becomes { slate($0, right, 0..<360) < 30 }
                #expect(isWhole)
                #expect(try await box.counters("/stage/drawErrors", "/playback/decodeErrors") == [0, 0])
                try Peer.ffmpeg.log(test: "strategies", checks: 7)
            }
        }
    }
}
