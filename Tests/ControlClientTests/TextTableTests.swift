// SPDX-License-Identifier: Apache-2.0
import Terminal
import Testing

@testable import ControlClient

@Suite struct TextTableTests {
    /// Whatever strangers call a channel, no line is wider than it may be.
    @Test func tablesFit() {
        let hostile = [
            "", " ", "\u{301}\u{301}", String(repeating: "試", count: 300), String(repeating: "a", count: 5_000),
            "👩‍👩‍👧‍👦👩‍👩‍👧‍👦", "🇩🇪🇫🇷", "\u{202e}abc\u{1b}[31m", "\r\n\t\u{0}", "ﷺﷺ", "𒐫𒐫",
            String(repeating: "e\u{308}", count: 90), "각각각",
        ].map { TerminalText.harmless($0) }
        for columns in 1...14 {
            for width in [1, 7, 20, 80] {
                let rows = hostile.indices.map { row in
                    (0..<columns).map { hostile[(row + $0 * 5) % hostile.count] }
                }
                let titles = (0..<columns).map { "title\($0)" }
                for line in TextTable(titles: titles, rows: rows).lines(width: width) {
                    #expect(TerminalText.columns(line) <= width, "\(columns) columns in \(width): \(line)")
                }
            }
        }
    }
}
