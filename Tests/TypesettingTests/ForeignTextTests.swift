// SPDX-License-Identifier: Apache-2.0
import Media
import Testing

@testable import Typesetting

/// Names that anybody may announce.
@Suite struct ForeignTextTests {
    /// U+202E turned the clock beside a channel's name around.
    @Test func directionControlsAreNotObeyed() throws {
        let plain = try Ink.of("abc 12").octets
        for control in ["\u{202e}", "\u{202b}", "\u{2067}", "\u{206a}", "\u{feff}", "\u{1b}", "\u{9b}"] {
            #expect(try Ink.of(control + "abc 12").octets == plain, "\(control.unicodeScalars)")
        }
    }

    @Test func lineSeparatorsMakeNoLines() throws {
        for separator in ["\t", "\u{2028}", "\u{2029}", "\u{85}"] {
            #expect(try Ink.of("a\(separator)b").octets == Ink.of("a b").octets)
        }
        #expect(try Ink.of("a\r\nb").octets == Ink.of("a\nb").octets)
    }

    @Test func endlessTextHasAnEnd() throws {
        let scalars = Text(String(repeating: "{", count: 100_000), x: 0, y: 0, style: TextStyle(height: 40)).script
        #expect(scalars.unicodeScalars.count < 2 * Text.longest + 64)
        let marks = "Z" + String(repeating: "\u{0301}\u{0323}", count: 3_000)
        _ = try Ink.of(marks)
        var renderer = try TextRenderer()
        #expect(try renderer.width(of: String(repeating: "W", count: 20_000), style: TextStyle(height: 40)) <= 16_384)
    }

    /// The paragraph has the direction of its first letter: the exclamation mark ends the sentence, at the left.
    @Test func rightToLeftIsShapedAndOrdered() throws {
        let plain = try #require(try Ink.of("שלום").bounds)
        let marked = try #require(try Ink.of("שלום!", anchor: .topRight, x: 640).bounds)
        #expect(marked.right > 630)
        let mark = try #require(try Ink.of("!").bounds)
        let width = mark.right - mark.left
        let left = try Ink.of("שלום!", anchor: .topLeft)
        // The leftmost ink is as narrow as the mark: a gap follows it.
        let columns = (0..<(plain.right + 20)).map { x in
            (0..<120).contains { y in left.octets[(y * 640 + x) * 4 + 3] > 32 }
        }
        let start = try #require(columns.firstIndex(of: true))
        let gap = try #require(columns[start...].firstIndex(of: false))
        #expect(abs(gap - start - 1 - width) <= 2)
        // Joined letters are narrower than the same letters apart.
        let joined = try #require(try Ink.of("ببب").bounds)
        let apart = try #require(try Ink.of("ب\u{200c}ب\u{200c}ب").bounds)
        #expect(joined.right - joined.left < apart.right - apart.left)
    }

    @Test(arguments: [
        ("Hall 7", TextDirection.leftToRight), ("שלום", .rightToLeft), ("12: مرحبا", .rightToLeft), ("", .leftToRight),
        ("…«Ça»", .leftToRight), ("中文 שלום", .leftToRight), ("123", .leftToRight),
    ])
    func directionIsThatOfTheFirstLetter(text: String, direction: TextDirection) {
        #expect(TextDirection(of: text) == direction)
    }

    /// Without a font for them, Japanese and Chinese letters are all the same empty box.
    @Test func ideographsAreDrawn() throws {
        let missing = try Ink.of("\u{10fffd}").octets
        var drawn: Set<[UInt8]> = [missing]
        for letter in ["中", "龍", "ア", "の"] {
            let ink = try Ink.of(letter)
            #expect(ink.pixels > 0 && drawn.insert(ink.octets).inserted, "\(letter): install fonts-droid-fallback")
        }
    }

    @Test func tooLongIsCut() throws {
        var renderer = try TextRenderer()
        let style = TextStyle(height: 40)
        let name = "A channel's name that is longer than its place"
        let fitted = try renderer.fit(name, in: 300, style: style)
        #expect(fitted.hasSuffix("…") && name.hasPrefix(fitted.dropLast()))
        #expect((250...300).contains(try renderer.width(of: fitted, style: style)))
        #expect(try renderer.fit("short", in: 300, style: style) == "short")
        #expect(try renderer.fit("short", in: 0, style: style) == "…")
        let ink = try Ink.of([.text(Text(name, x: 0, y: 0, overflow: .cut(200), style: style))])
        #expect(try #require(ink.bounds).right < 200)
    }

    /// A ticker's strip is one line as wide as a canvas can be.
    @Test func aLineAsWideAsACanvasIsDrawnToItsEnd() throws {
        var renderer = try TextRenderer()
        let style = TextStyle(height: 32)
        let line = String(repeating: "Hall 7 ", count: 140)
        let width = try renderer.width(of: line, style: style)
        #expect((10_000..<16_384).contains(width))
        let canvas = CanvasBuffer(width: width, height: 48)
        try renderer.draw([.text(Text(line, x: 0, y: 4, style: style))], on: canvas)
        let ink = Ink(canvas)
        #expect(try #require(ink.bounds).right > width - 4)
        for part in 0..<10 {
            let columns = part * width / 10..<(part + 1) * width / 10
            #expect(columns.contains { x in (0..<48).contains { ink.octets[($0 * width + x) * 4 + 3] > 200 } })
        }
    }
}
