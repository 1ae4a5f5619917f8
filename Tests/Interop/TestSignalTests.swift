// SPDX-License-Identifier: Apache-2.0
import Foundation
import JSON
import Measuring
import Testing

extension Interop {
    /// What a technician without a stream judges screen and loudspeakers by: the whole box, looked at and listened to by
    /// ffmpeg.
    @Suite(.enabled(if: Peer.ffmpeg.isThere)) struct TestSignalTests {
        private static let width = 640
        private static let height = 360
        /// White, yellow, cyan, green, magenta, red, blue, black of 75 %.
        private static let bars: [[UInt8]] = [
            [191, 191, 191], [191, 191, 0], [0, 191, 191], [0, 191, 0], [191, 0, 191], [191, 0, 0], [0, 0, 191],
            [0, 0, 0],
        ]

        private func colour(_ pixels: Data, _ x: Int, _ y: Int) -> [UInt8] {
            let place = (y * Self.width + x) * 3
            return pixels.count >= place + 3 ? Array(pixels[place..<place + 3]) : []
        }

        /// The bars are where they belong, and the outermost pixels are white.
        private func isCard(_ pixels: Data) -> Bool {
            let bars = (0..<8).map { colour(pixels, 32 + 20 + 72 * $0, 60) }
            let columns = [0, 101, 639].allSatisfy { x in
                colour(pixels, x, 0) == [255, 255, 255] && colour(pixels, x, Self.height - 1) == [255, 255, 255]
            }
            let rows = [0, 77, 359].allSatisfy { y in
                colour(pixels, 0, y) == [255, 255, 255] && colour(pixels, Self.width - 1, y) == [255, 255, 255]
            }
            return bars == Self.bars && columns && rows && colour(pixels, 1, 1) == [0, 0, 0]
        }

        @Test func testCardIsShownOverAChannelAndGoes() async throws {
            try await TestVenue.open { venue in
                let target = StreamTarget()
                try await LiveCounter.start(to: target, in: venue)
                let box = try await BoxProcess(["channels": [target.json]], in: venue)
                try await box.tune("One")
                #expect(!isCard(try await box.pixels(in: venue)))
                func isShown(_ wanted: Bool) async throws -> Bool {
                    try await eventually(within: .seconds(10)) {
                        isCard(try await box.pixels(in: venue)) == wanted
                    }
                }
                let answer = try await box.answer("test-card", "--seconds", "300")
                #expect(answer["size"] == "640x360" && answer["output"] == "640x360, no screen", "\(answer)")
                #expect(try await isShown(true))
                // Each second something else moves, and the channel goes on below.
                let first = try await box.pixels(in: venue)
                let pictures = try await box.counter("/stage/picturesPresented")
                try await Task.sleep(for: .milliseconds(1_100))
                let second = try await box.pixels(in: venue)
                #expect(first != second && isCard(second))
                #expect(try await box.counter("/stage/picturesPresented") > pictures + 10)
                // What moves is where it should be, and nothing else has changed.
                let places = (0..<Self.height).flatMap { y in (0..<Self.width).map { x in (x, y) } }
                let changed = places.filter { colour(first, $0, $1) != colour(second, $0, $1) }
                #expect(changed.allSatisfy { x, y in (288..<306).contains(y) && (230..<410).contains(x) })

                #expect(try await box.answer("test-card", "off") == ["state": "off"])
                #expect(try await isShown(false))
                let shots = try await Screenshots([try await box.screenshot("after.png")], in: venue)
                #expect(shots.numbers.first.flatMap { $0 } != nil, "the channel's picture is not back")

                // A forgotten one goes by itself.
                _ = try await box.answer("test-card", "on", "--seconds", "3")
                #expect(try await isShown(true))
                #expect(try await isShown(false))
                try Peer.ffmpeg.log(test: "testCard", checks: 5)
            }
        }

        /// 1 kHz of -20 dBFS on the left channel alone, by ffmpeg's own measure and by ours; no click at either end.
        @Test func toneIsOfItsLevel() async throws {
            try await TestVenue.open { venue in
                let path = venue.directory.file("tone.wav")
                let box = try await BoxProcess(
                    ["sound": ["kind": "wav", "wavPath": .string(path), "volume": 100]], in: venue)
                let answer = try await box.answer("tone", "--seconds", "3", "--channel", "left")
                #expect(answer["problem"] == nil && answer["level"] == -20 && answer["frequency"] == 1_000)
                let isOver = try await eventually(within: .seconds(15)) {
                    let heard = try WAVRecording(path).samples
                    guard let start = heard.firstIndex(where: { $0 != 0 }) else { return false }
                    return heard.count > start + 48_000 * 7 / 2
                }
                #expect(isOver)
                let muted = try await box.answer("mute", "on")
                #expect(muted["isMuted"] == true)
                let silent = try await box.answer("tone", "--seconds", "1", "--level", "0")
                #expect(silent["problem"] == "the sound is muted (mute off)", "\(silent)")
                try await Task.sleep(for: .milliseconds(1_500))
                #expect(try await box.answer("tone", "off") == ["state": "off"])
                box.process.signal(SIGTERM)
                #expect(try await box.process.exitCode(within: .seconds(10)) == 0)

                let (left, right) = (try WAVRecording(path), try WAVRecording(path, channel: 1))
                #expect(right.samples.allSatisfy { $0 == 0 }, "the right channel is not silent")
                let start = try #require(left.samples.firstIndex { $0 != 0 })
                let end = try #require(left.samples.lastIndex { $0 != 0 })
                #expect(abs(end - start - 3 * 48_000) < 100, "\(end - start) samples")
                #expect(left.samples.allSatisfy { abs($0) < 0.101 }, "what was muted is not heard")
                let middle = left.part(Double(start) / 48_000 + 0.1..<Double(start) / 48_000 + 2.9)
                let tone = ToneAnalysis(middle, nominal: 1_000)
                #expect(abs(tone.frequency - 1_000) < 0.2 && tone.clicks.isEmpty && tone.gaps.isEmpty, "\(tone)")
                let pairs = zip(left.samples, left.samples.dropFirst())
                let steepest = pairs.reduce(Float(0)) { max($0, abs($1.1 - $1.0)) }
                #expect(steepest < 0.0135, "a click of \(steepest)")

                let measured = try await venue.succeed([
                    "ffmpeg", "-nostdin", "-hide_banner", "-ss", "\(Double(start) / 48_000 + 0.5)", "-t", "2", "-i",
                    path, "-af", "pan=mono|c0=c0,astats=measure_perchannel=none", "-f", "null", "-",
                ])
                let levels = Self.levels(in: measured.messages)
                #expect(abs((levels["Peak"] ?? 0) + 20) < 0.1 && abs((levels["RMS"] ?? 0) + 23.01) < 0.1, "\(levels)")
                print("toneIsOfItsLevel: \(tone.frequency) Hz, \(levels)")
                try Peer.ffmpeg.log(test: "tone", checks: 2)
            }
        }

        /// "[Parsed_astats_1 @ 0x…] Peak level dB: -20.000000"
        private static func levels(in text: String) -> [String: Double] {
            let found = text.matches(of: #/(Peak|RMS) level dB: (-?[0-9.]+)/#).compactMap { match in
                Double(match.2).map { (String(match.1), $0) }
            }
            return Dictionary(found) { first, _ in first }
        }
    }
}
