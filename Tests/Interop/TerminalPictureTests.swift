// SPDX-License-Identifier: Apache-2.0
import Foundation
import JSON
import Testing

extension Interop {
    /// What is on the screen, for whoever has nothing but a terminal.
    @Suite struct TerminalPictureTests {
        private static let lineEnd = "\u{1b}[0m\r"

        /// Colours of the characters: those of letter and ground, by number; nil for none.
        private func cells(of line: String) -> [(upper: Int?, lower: Int?)] {
            var cells: [(Int?, Int?)] = []
            var (letter, ground): (Int?, Int?) = (nil, nil)
            var rest = line[...]
            while let character = rest.popFirst() {
                switch character {
                case "\u{1b}":
                    let end = rest.firstIndex(of: "m") ?? rest.endIndex
                    let numbers = rest[..<end].dropFirst().split(separator: ";").compactMap { Int($0) }
                    if numbers.count == 3, numbers[0] == 38 { letter = numbers[2] }
                    if numbers.count == 3, numbers[0] == 48 { ground = numbers[2] }
                    rest = rest[end...].dropFirst()
                case " ": cells.append((ground, ground))
                case "\u{2580}": cells.append((letter, ground))
                default: cells.append((nil, nil))
                }
            }
            return cells
        }

        /// At a terminal and at the console: half blocks in the bars' colours, and Ctrl-C still ends what goes on.
        @Test func blocksAtATerminal() async throws {
            try await TestVenue.open { venue in
                let box = try await BoxProcess([:], in: venue)
                _ = try await box.answer("test-card")
                let client = [try Programs.path("touchline"), "--socket", box.socket]
                let isThere = try await eventually(within: .seconds(5)) {
                    try await box.run("screenshot", "--as", "ascii").outputText.contains("@")
                }
                #expect(isThere)
                let taken = try await TerminalProgram.run(client + ["screenshot"], [], in: venue)
                let lines = taken.text.components(separatedBy: "\r\n").dropLast()
                #expect(taken.code == 0 && lines.count == 22 && taken.text.utf8.count <= 30_000)
                let cells = lines.map { self.cells(of: $0) }
                #expect(cells.allSatisfy { $0.count == 78 })
                // The sixth line lies within the bars: of white, yellow, cyan, green, magenta, red, blue, black.
                let bars = (0..<8).map { bar in cells.count > 5 ? cells[5][4 + (2 * bar + 1) * 70 / 16].lower ?? -1 : -1
                }
                #expect(bars == [250, 142, 37, 34, 127, 124, 19, 16], "\(bars)")
                print("blocksAtATerminal: \(taken.text.utf8.count) octets, bars \(bars)")

                let console = try await TerminalProgram.run(
                    client + ["console"],
                    [
                        .await("touchline> "), .type("screenshot\r"), .await(Self.lineEnd), .await("touchline> "),
                        .type("version\r"), .await("0."), .await("touchline> "),
                        .type("screenshot --as ascii --columns 40\r"), .await("####"), .await("touchline> "),
                        .type("exit\r"),
                    ], in: venue)
                #expect(console.code == 0 && console.isRestored, "\(console.text.suffix(400))")
                // Each of its lines ends with the usual colours again.
                let shown = console.text.components(separatedBy: "\u{1b}[0m").count - 1
                #expect(shown == 22 && !console.text.contains("\u{fffd}"), "\(shown)")

                let dumb = try await TerminalProgram.run(client + ["screenshot"], terminal: "dumb", [], in: venue)
                let plain = dumb.text.components(separatedBy: "\r\n").dropLast()
                #expect(plain.count == 22 && plain.allSatisfy { $0.utf8.count == 78 } && !dumb.text.contains("\u{1b}"))
            }
        }

        /// libsixel's decoder sees what ffmpeg makes of the PNG, but for the palette's 216 colours.
        @Test(.enabled(if: Peer.sixel2png.isThere && Peer.ffmpeg.isThere)) func sixelIsTheSamePicture() async throws {
            try await TestVenue.open { venue in
                let box = try await BoxProcess([:], in: venue)
                _ = try await box.answer("test-card", "--seconds", "600")
                let isThere = try await eventually(within: .seconds(5)) {
                    try await box.run("screenshot", "--as", "ascii").outputText.contains("@")
                }
                #expect(isThere)
                var worst = 99.0
                for columns in [20, 78, 101] {
                    let (png, sixel) = (try await box.screenshot("shot.png"), venue.directory.file("shot.six"))
                    let decoded = venue.directory.file("decoded.png")
                    let child = try await box.run(
                        "screenshot", "--as", "sixel", "--columns", "\(columns)", "--output", sixel)
                    #expect(try await child.exitCode(within: .zero) == 0, "\(child.messages)")
                    try await venue.succeed([Peer.sixel2png.path, "-i", sixel, "-o", decoded])
                    let size = try await venue.succeed([
                        "ffprobe", "-v", "error", "-show_entries", "stream=width,height", "-of", "csv=p=0", decoded,
                    ])
                    let (width, height) = (columns * 8, ((columns * 8 * 360 + 320) / 640 + 1) & ~1)
                    #expect(size.outputText == "\(width),\(height)\n")
                    let measure = try await venue.succeed([
                        "ffmpeg", "-nostdin", "-hide_banner", "-i", decoded, "-i", png, "-lavfi",
                        "[0]format=rgb24[a];[1]format=rgb24,scale=\(width):\(height):flags=area[b];[a][b]psnr", "-f",
                        "null", "-",
                    ])
                    let average = measure.messages.firstMatch(of: #/average:([0-9.]+)/#).flatMap { Double($0.1) }
                    worst = min(worst, average ?? 0)
                    let octets = FileManager.default.contents(atPath: sixel)?.count ?? 0
                    print("sixelIsTheSamePicture: \(columns) columns, \(octets) octets, PSNR \(average ?? 0)")
                }
                // The levels of the palette are 51 apart: errors of up to 25 in each colour, 24.8 dB if they are even.
                #expect(worst > 22, "PSNR \(worst)")
                try Peer.sixel2png.log(test: "sixelIsTheSamePicture", checks: 3)
            }
        }
    }
}
