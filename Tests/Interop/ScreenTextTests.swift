// SPDX-License-Identifier: Apache-2.0
import Foundation
import JSON
import Testing

extension Interop {
    /// What is written is on the screen, over the moving picture, and goes again (SVM-11, 68, 69).
    @Suite(.enabled(if: Peer.ffmpeg.isThere)) struct ScreenTextTests {
        private static let width = 640
        /// Of units of 4 pixels in a safe area of 5 %; a banner with a short name has more to the right.
        private static let banner = (x: 36..<160, y: 304..<340)
        private static let ticker = 18..<42

        /// Per cent of the banner's place that is as dark and as blue as its panel.
        private func darkness(_ pixels: Data) -> Int {
            let place = Self.banner
            guard pixels.count >= Self.width * place.y.upperBound * 3 else { return -1 }
            var dark = 0
            for y in place.y {
                for x in place.x {
                    let pixel = (y * Self.width + x) * 3
                    let (red, blue) = (pixels[pixel], pixels[pixel + 2])
                    if blue < 80, blue > 25, Int(red) + 20 < Int(blue) { dark += 1 }
                }
            }
            return dark * 100 / (place.x.count * place.y.count)
        }

        private func write(_ box: BoxProcess, _ words: String...) async throws {
            let child = try await box.run(words)
            guard try await child.exitCode(within: .zero) == 0 else { throw VenueError("\(words): \(child.messages)") }
        }

        @Test func bannerComesAndGoes() async throws {
            try await TestVenue.open { venue in
                let target = StreamTarget()
                try await LiveCounter.start(to: target, in: venue)
                let box = try await BoxProcess(
                    ["channels": [target.json], "screenText": ["enabled": true, "bannerMs": 0]], in: venue)
                try await box.tune("One")
                #expect((0..<50).contains(darkness(try await box.pixels(in: venue))))
                try await write(box, "osd", "banner", "on")
                let isShown = try await eventually(within: .seconds(5)) {
                    darkness(try await box.pixels(in: venue)) > 60
                }
                #expect(isShown)
                let before = try await box.counter("/screenText/typesettings")
                #expect(before >= 1)
                // The picture moves, the text does not: what is typeset again is the clock, once in a minute.
                let pictures = try await box.counter("/stage/picturesPresented")
                let moves = try await eventually(within: .seconds(10)) {
                    try await box.counter("/stage/picturesPresented") > pictures + 25
                }
                #expect(moves)
                #expect(try await box.counter("/screenText/typesettings") <= before + 1)
                try await write(box, "osd", "banner", "off")
                let isGone = try await eventually(within: .seconds(5)) {
                    (0..<50).contains(darkness(try await box.pixels(in: venue)))
                }
                #expect(isGone)
            }
        }

        /// A block runs through from the right; between any two screenshots it has moved by whole steps.
        @Test func tickerMovesByWholeSteps() async throws {
            try await TestVenue.open { venue in
                let box = try await BoxProcess([:], in: venue)
                try await write(box, "ticker", "█", "--pixels-per-second", "100", "--position", "top")
                var edges: [Int] = []
                _ = try await eventually(within: .seconds(15)) {
                    if let edge = edge(try await box.pixels(in: venue)) { edges.append(edge) }
                    return Set(edges).count >= 4
                }
                #expect(Set(edges).count >= 4, "\(edges)")
                let steps = zip(edges, edges.dropFirst()).map { $0 - $1 }
                let step = Self.pixelsPerSecond / Self.framesPerSecond
                #expect(steps.allSatisfy { $0 < 0 || $0.isMultiple(of: step) }, "\(edges)")
                try await write(box, "ticker-clear")
                let isGone = try await eventually(within: .seconds(5)) {
                    edge(try await box.pixels(in: venue)) == nil
                }
                #expect(isGone)
            }
        }

        private static let pixelsPerSecond = 100
        /// Of an output without a display.
        private static let framesPerSecond = 50

        /// The left edge of what is white in the ticker, while all of it is there.
        private func edge(_ pixels: Data) -> Int? {
            let row = (Self.ticker.lowerBound + Self.ticker.count / 2) * Self.width
            guard pixels.count >= (row + Self.width) * 3 else { return nil }
            let white = (0..<Self.width).filter { pixels[(row + $0) * 3 + 1] > 200 }
            guard let first = white.first, let last = white.last, first > 0, last < Self.width - 1 else { return nil }
            return first
        }
    }
}
