// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

@testable import Terminal

struct TerminalTextTests {
    @Test(arguments: [
        ("", 0), ("abc", 3), ("Zürich", 6), ("u\u{308}", 1), ("試合", 4), ("ｶﾅ", 2), ("한국", 4), ("각", 2),
        ("⚽", 2), ("🇩🇪", 2), ("→", 1), ("❤", 1), ("مباراة", 6), ("\u{301}", 0),
    ])
    func columns(text: String, count: Int) {
        #expect(TerminalText.columns(text) == count)
    }

    /// glibc's own opinion of every character, but for what Unicode has changed since its version was made.
    @Test func agreesWithTheCLibrary() throws {
        // <wchar.h> shows it to those only who ask for X/Open.
        typealias Width = @convention(c) (wchar_t) -> CInt
        let width = unsafeBitCast(try #require(dlsym(nil, "wcwidth")), to: Width.self)
        let locale = try #require(newlocale(LC_CTYPE_MASK, "C.UTF-8", nil))
        let before = uselocale(locale)
        defer {
            uselocale(before)
            freelocale(locale)
        }
        var (asked, others) = (0, [UInt32]())
        for value in UInt32(0x20)...0x3fffd {
            guard let scalar = Unicode.Scalar(value) else { continue }
            let theirs = Int(width(wchar_t(value)))
            switch scalar.properties.generalCategory {
            case .unassigned, .privateUse, .control, .format: continue
            default: if theirs < 0 { continue }
            }
            asked += 1
            if TerminalText.columns(scalar) != theirs { others.append(value) }
        }
        #expect(asked > 100_000)
        #expect(others.count < 200, "\(others.prefix(100).map { String($0, radix: 16) })")
    }

    @Test func cutsBetweenCharacters() {
        #expect(TerminalText.cut("Zürich", to: 6).text == "Zürich")
        #expect(TerminalText.cut("Zu\u{308}rich", to: 3).text == "Zu\u{308}…")
        #expect(TerminalText.cut("試合中継", to: 4) == ("試…", 3))
        #expect(TerminalText.fitted("試合中継", to: 4) == "試… ")
        #expect(TerminalText.cut("試", to: 1) == ("…", 1))
    }

    @Test func towersOfMarksAreCutDown() {
        let tower = "a" + String(repeating: "\u{301}", count: 500) + "b\u{301}"
        #expect(TerminalText.harmless(tower) == "a\u{301}\u{301}\u{301}\u{301}b\u{301}")
    }

    /// Lines are broken between words, and a word that is too long is cut.
    @Test func wrapping() {
        #expect(TerminalText.wrapped("the first broken link", to: 9) == ["the first", "broken", "link"])
        #expect(TerminalText.wrapped("an unbreakable thing", to: 6) == ["an", "unbre…", "thing"])
        #expect(TerminalText.wrapped("視聴 視聴", to: 5) == ["視聴", "視聴"])
        #expect(TerminalText.wrapped("", to: 1) == [] && TerminalText.wrapped("  a  b ", to: 3) == ["a b"])
        for width in 1...12 {
            let lines = TerminalText.wrapped("a bb ccc dddd 視聴 eeeee ffffff", to: width)
            #expect(lines.allSatisfy { TerminalText.columns($0) <= width }, "\(width): \(lines)")
        }
    }
}
