// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing

@testable import Typesetting

@Suite struct LineBreakTests {
    /// As if each character were of one width.
    private func lines(_ text: String, _ width: Int) -> [String] {
        var rest = LineBreaks(text)
        var lines: [String] = []
        repeat { lines.append(rest.takeLine { $0.count <= width }) } while !rest.isEmpty
        return lines
    }

    @Test(arguments: [
        ("one two three", 7, ["one two", "three"]), ("one two three", 8, ["one two", "three"]),
        ("one", 3, ["one"]), ("", 3, [""]), ("abcdefgh", 3, ["abc", "def", "gh"]), ("a  b", 1, ["a", "b"]),
        ("semi-final today", 6, ["semi-", "final", "today"]), ("x", 0, ["x"]), ("   ", 2, [""]),
        ("東京対大阪", 2, ["東京", "対大", "阪"]), ("東京。大阪", 2, ["東", "京。", "大阪"]),
        ("「東京」大阪", 3, ["「東", "京」大", "阪"]), ("東京「大阪", 3, ["東京", "「大阪"]),
        ("今夜 LIVE 東京", 6, ["今夜", "LIVE 東", "京"]),
    ]) func linesBreakWhereTheyMay(text: String, width: Int, expected: [String]) {
        #expect(lines(text, width) == expected)
    }

    /// Nothing is lost but spaces, and no line is empty or too long, whatever comes.
    @Test func nothingIsLost() {
        let alphabet = Array("ab -東京。「ー\u{0301}👩‍👩‍👧 ")
        var state: UInt64 = 7
        for _ in 0..<Effort.scaled(300) {
            let text = String(
                (0..<40).map { _ in
                    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
                    return alphabet[Int(state >> 33) % alphabet.count]
                })
            for width in [1, 3, 9] {
                let lines = lines(text, width)
                #expect(lines.joined().filter { $0 != " " } == text.filter { $0 != " " })
                #expect(lines.allSatisfy { $0.count <= width })
            }
        }
    }

    @Test func linesAreLimitedAndTheLastIsCut() throws {
        var renderer = try TextRenderer()
        let style = TextStyle(height: 20)
        let text = "The match of the evening is played\nin the hall of the town, and everybody comes"
        let all = try renderer.lines(of: text, in: 160, style: style, limit: 99)
        #expect(all.count > 3 && all.joined(separator: " ") == text.replacing("\n", with: " "))
        for line in all { #expect(try renderer.width(of: line, style: style) <= 160) }
        let two = try renderer.lines(of: text, in: 160, style: style, limit: 2)
        #expect(two.count == 2 && two[0] == all[0] && two[1].hasSuffix("…"))
        #expect(try renderer.width(of: two[1], style: style) <= 160)
        #expect(try renderer.lines(of: text, in: 1, style: style, limit: 3).count == 3)
    }

    /// A heap of marks over one letter lies over no other line.
    @Test func marksAreLimited() throws {
        var renderer = try TextRenderer()
        func height(_ marks: Int) throws -> Int {
            let text = Text(
                "A" + String(repeating: "\u{0301}", count: marks), x: 0, y: 0, style: TextStyle(height: 40))
            return try renderer.extent(of: text).height
        }
        #expect(try height(200) == height(4))
    }
}
