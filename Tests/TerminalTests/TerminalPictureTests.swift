// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing

@testable import Terminal

@Suite struct TerminalPictureTests {
    private func picture(_ rows: [[(UInt8, UInt8, UInt8)]]) -> TerminalPicture {
        TerminalPicture(
            width: rows[0].count, height: rows.count, pixels: rows.flatMap { $0 }.flatMap { [$0.0, $0.1, $0.2] })
    }

    private func noise(_ width: Int, _ height: Int, seed: UInt64) -> TerminalPicture {
        var random = SplitMix64(seed: seed)
        let pixels = (0..<width * height * 3).map { _ in UInt8.random(in: 0...255, using: &random) }
        return TerminalPicture(width: width, height: height, pixels: pixels)
    }

    @Test(arguments: [
        ((1_920, 1_080), 78, 44), ((640, 360), 78, 44), ((1_080, 1_920), 20, 36), ((1_920, 1_080), 624, 352),
        ((16_384, 1), 20, 2), ((1, 16_384), 200, 4_096),
    ])
    func theShapeIsKept(screen: (Int, Int), width: Int, height: Int) {
        #expect(TerminalPicture.height(of: (screen.0, screen.1), at: width) == height)
    }

    @Test func blocksHaveTwoRowsEach() {
        let (red, blue, black): ((UInt8, UInt8, UInt8), (UInt8, UInt8, UInt8), (UInt8, UInt8, UInt8)) = (
            (255, 0, 0), (0, 0, 255), (0, 0, 0)
        )
        let text = picture([[red, red, black], [blue, blue, black], [black, red, red], [black, red, red]]).blocks
        #expect(
            text == """
                \u{1b}[48;5;21m\u{1b}[38;5;196m\u{2580}\u{2580}\u{1b}[48;5;16m \u{1b}[0m
                \u{1b}[48;5;16m \u{1b}[48;5;196m  \u{1b}[0m

                """)
    }

    /// Each colour is the nearest that a terminal of 256 colours has.
    @Test(arguments: 1...50 as ClosedRange<UInt64>) func coloursAreTheNearest(seed: UInt64) {
        func distance(_ one: (Int, Int, Int), _ other: (Int, Int, Int)) -> Int {
            let (r, g, b) = (one.0 - other.0, one.1 - other.1, one.2 - other.2)
            return r * r + g * g + b * b
        }
        let levels = [0, 95, 135, 175, 215, 255]
        var all: [(Int, Int, Int)] = []
        for red in levels { for green in levels { for blue in levels { all.append((red, green, blue)) } } }
        for grey in stride(from: 8, to: 248, by: 10) { all.append((grey, grey, grey)) }
        var random = SplitMix64(seed: seed)
        func value() -> Int { Int.random(in: 0...255, using: &random) }
        for _ in 0..<40 {
            let wanted = (value(), value(), value())
            let found = IndexedColour(nearest: wanted)
            let best = all.map { distance($0, wanted) }.min() ?? 0
            #expect(distance(all[found.index - 16], (found.red, found.green, found.blue)) == 0)
            // The nearest grey is looked for by the mean, which may miss the best one by a step.
            #expect(distance(all[found.index - 16], wanted) <= best + 150, "\(wanted)")
        }
    }

    /// A serial line is slow: 78 columns are at most 30 kB, whatever is on the screen.
    @Test(arguments: 1...10 as ClosedRange<UInt64>) func blocksAreBounded(seed: UInt64) {
        let picture = noise(78, 44, seed: seed)
        #expect(picture.blocksLimit <= 30_000)
        #expect(picture.blocks(tolerance: 0).utf8.count > 30_000, "noise needs more than there is room for")
        let text = picture.blocks
        #expect(text.utf8.count <= picture.blocksLimit)
        let lines = text.split(separator: "\n")
        #expect(lines.count == 22 && lines.allSatisfy { $0.hasSuffix("\u{1b}[0m") })
        for line in lines {
            let plain = line.replacing(#/\u{1b}\[[0-9;]*m/#, with: "")
            #expect(TerminalText.columns(plain) == 78)
        }
        #expect(TerminalPicture.isHarmless(Array(text.utf8)))
    }

    @Test func asciiGoesByLuma() {
        let (black, grey, white): ((UInt8, UInt8, UInt8), (UInt8, UInt8, UInt8), (UInt8, UInt8, UInt8)) = (
            (0, 0, 0), (128, 128, 128), (255, 255, 255)
        )
        let text = picture([[black, grey, white, black], [black, grey, white, white]]).ascii
        #expect(text == " +@=\n")
        let wide = noise(78, 44, seed: 1).ascii
        let widths = wide.split(separator: "\n").map(\.count)
        #expect(widths == Array(repeating: 78, count: 22))
    }

    @Test func sixelsAreBandsOfSixRows() {
        let red: (UInt8, UInt8, UInt8) = (255, 0, 0)
        let black: (UInt8, UInt8, UInt8) = (0, 0, 0)
        let text = picture(Array(repeating: [red, red, red, red, black], count: 7)).sixel
        #expect(
            text
                == "\u{1b}P0;1;0q\"1;1;5;7#0;2;0;0;0#180;2;100;0;0#180!4~$#0!4?~-#180!4@$#0!4?@\u{1b}\\")
        #expect(TerminalPicture.isHarmless(Array(text.utf8)))
    }

    /// Nothing but pictures passes: a name with a control sequence would not, nor a picture that does not end.
    @Test(arguments: [
        "\u{1b}]0;title\u{7}", "\u{1b}[2J", "\u{1b}[31;1H", "\u{7}", "\u{1b}[6n", "\u{1b}c", "\u{9b}2J", "\u{2581}",
        "\u{1b}P+q544e\u{1b}\\", "\u{1b}[?25l", "\r", "\u{1b}P0q#0\u{1b}[2J\u{1b}\\", "é",
    ])
    func otherSequencesAreNoPicture(text: String) {
        #expect(!TerminalPicture.isHarmless(Array(text.utf8)))
        #expect(!TerminalPicture.isHarmless(Array(("abc" + text + "abc").utf8)))
    }

    @Test func everyTruncationIsJudged() {
        let sixel = Array(noise(9, 8, seed: 2).sixel.utf8)
        for count in 1..<sixel.count { #expect(!TerminalPicture.isHarmless(Array(sixel[..<count]))) }
        #expect(TerminalPicture.isHarmless(sixel) && TerminalPicture.isHarmless([]))
        let blocks = Array(noise(9, 8, seed: 2).blocks.utf8)
        for count in 0..<blocks.count { _ = TerminalPicture.isHarmless(Array(blocks[..<count])) }
    }

    @Test(arguments: 1...200 as ClosedRange<UInt64>) func damageNeverTraps(seed: UInt64) {
        var mutation = Mutation(seed: seed)
        let picture = noise(5, 8, seed: seed)
        for text in [picture.sixel, picture.blocks] {
            let damaged = mutation.damage(Array(text.utf8))
            guard TerminalPicture.isHarmless(damaged) else { continue }
            // What passes has no control character that a terminal acts upon but those of its own sequences.
            let controls = Set(damaged.filter { $0 < 32 || $0 == 127 })
            #expect(controls.isSubset(of: [10, 27]))
        }
    }
}
