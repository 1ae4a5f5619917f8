// SPDX-License-Identifier: Apache-2.0
import Media
import Testing

@testable import Typesetting

@Suite struct TextRendererTests {
    let style = TextStyle(height: 40)

    private func ink(_ string: String, style: TextStyle? = nil) throws -> Int {
        var renderer = try TextRenderer()
        let canvas = CanvasBuffer(width: 640, height: 120)
        return try renderer.draw([Text(string, x: 10, y: 10, style: style ?? self.style)], on: canvas)
    }

    /// The smallest rectangle around everything that is not black.
    private func bounds(_ canvas: borrowing CanvasBuffer) -> (left: Int, top: Int, right: Int, bottom: Int)? {
        var found: (left: Int, top: Int, right: Int, bottom: Int)?
        for y in 0..<canvas.height {
            for x in 0..<canvas.width where canvas.bytes[y * canvas.stride + x * 4] > 32 {
                let last = found ?? (x, y, x, y)
                found = (min(last.left, x), min(last.top, y), max(last.right, x), max(last.bottom, y))
            }
        }
        return found
    }

    @Test func lettersHaveInkWhereTheyShould() throws {
        var renderer = try TextRenderer()
        let canvas = CanvasBuffer(width: 640, height: 120)
        try renderer.draw([Text("Hall 7", x: 320, y: 60, anchor: .centre, style: style)], on: canvas)
        let found = bounds(canvas)
        let box = try #require(found)
        #expect(abs((box.left + box.right) / 2 - 320) <= 4)
        #expect((10...40).contains(box.bottom - box.top))
        try renderer.draw([Text("X", x: 640, y: 120, anchor: .bottomRight, style: style)], on: canvas)
        let wider = bounds(canvas)
        #expect(wider?.right ?? 0 > 630)
    }

    @Test func colourIsExact() throws {
        var renderer = try TextRenderer()
        let canvas = CanvasBuffer(width: 200, height: 200)
        let red = TextStyle(height: 150, colour: .init(red: 250, green: 20, blue: 3), isBold: true)
        try renderer.draw([Text("█", x: 20, y: 20, style: red)], on: canvas)
        let pixel = 100 * canvas.stride + 60 * 4
        #expect(Array(canvas.bytes[pixel..<pixel + 3]) == [3, 20, 250])
    }

    /// libass reads `{…}` as commands and `\N` as a line break: a channel's name must not command anything.
    @Test func commandsInTheTextAreText() throws {
        let plain = try ink("b1")
        #expect(try ink("{\\b1}") > plain)
        #expect(try ink("{\\alpha&HFF&}hidden") > (try ink("hidden")))
        #expect(try ink("{\\pos(9999,0)}away") > (try ink("away")))
        #expect(try ink("\\") > 0)
        #expect(try ink("{") > 0 && (try ink("}")) > 0 && (try ink("\\{x}")) > (try ink("x")))
        var renderer = try TextRenderer()
        let canvas = CanvasBuffer(width: 640, height: 120)
        try renderer.draw([Text("A\\NB", x: 10, y: 10, style: style)], on: canvas)
        let found = bounds(canvas)
        let box = try #require(found)
        #expect(box.bottom - box.top < 45)  // one line
    }

    @Test func linesBreakAtTheWidthOnly() throws {
        var renderer = try TextRenderer()
        func height(_ text: Text) throws -> Int {
            let canvas = CanvasBuffer(width: 640, height: 480)
            try renderer.draw([text], on: canvas)
            let box = bounds(canvas)
            return box.map { $0.bottom - $0.top } ?? 0
        }
        let long = "no channels heard on any of the groups that are listened to"
        #expect(try height(Text(long, x: 10, y: 10, style: style)) < 45)
        let lines = try renderer.lines(of: long, in: 300, style: style, limit: 99)
        #expect(try height(Text(lines.joined(separator: "\n"), x: 10, y: 10, style: style)) > 120)
        #expect(try height(Text("a\nb\nc", x: 10, y: 10, style: style)) > 80)
    }

    @Test func leadingSpacesKeepTheirRoom() throws {
        var renderer = try TextRenderer()
        let canvas = CanvasBuffer(width: 640, height: 120)
        let mono = TextStyle(.mono, height: 40)
        try renderer.draw([Text("    7", x: 0, y: 10, style: mono)], on: canvas)
        let found = bounds(canvas)
        #expect(found?.left ?? 0 > 60)
    }

    @Test func whatIsOutsideIsCutOff() throws {
        var renderer = try TextRenderer()
        let canvas = CanvasBuffer(width: 64, height: 64)
        for (x, y) in [(-30, -10), (50, 50), (-5_000, 9_000), (60, -20)] {
            try renderer.draw([Text("WWWWWW", x: x, y: y, style: TextStyle(height: 60, outline: 4))], on: canvas)
        }
        let found = bounds(canvas)
        #expect(found != nil)
    }
}
