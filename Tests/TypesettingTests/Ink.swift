// SPDX-License-Identifier: Apache-2.0
import Media

@testable import Typesetting

/// What was drawn, for tests.
struct Ink {
    /// The smallest rectangle around what is not transparent; nil: nothing is there.
    let bounds: (left: Int, top: Int, right: Int, bottom: Int)?
    let pixels: Int
    /// All octets but the padding.
    let octets: [UInt8]
    /// Whether each colour is at most the opacity.
    let isPremultiplied: Bool

    init(_ canvas: borrowing CanvasBuffer) {
        var found: (left: Int, top: Int, right: Int, bottom: Int)?
        var count = 0
        var premultiplied = true
        var all: [UInt8] = []
        for y in 0..<canvas.height {
            let row = canvas.bytes[y * canvas.stride..<y * canvas.stride + canvas.width * 4]
            all += row
            for x in 0..<canvas.width {
                let pixel = row.startIndex + x * 4
                let opacity = row[pixel + 3]
                premultiplied = premultiplied && row[pixel..<pixel + 3].allSatisfy { $0 <= opacity }
                guard opacity > 32 else { continue }
                count += 1
                let last = found ?? (x, y, x, y)
                found = (min(last.left, x), min(last.top, y), max(last.right, x), max(last.bottom, y))
            }
        }
        (bounds, pixels, octets, isPremultiplied) = (found, count, all, premultiplied)
    }

    static func of(_ drawings: [Drawing], width: Int = 640, height: Int = 120) throws -> Ink {
        var renderer = try TextRenderer()
        let canvas = CanvasBuffer(width: width, height: height)
        try renderer.draw(drawings, on: canvas)
        return Ink(canvas)
    }

    static func of(_ string: String, anchor: Text.Anchor = .topLeft, x: Int = 0) throws -> Ink {
        try of([.text(Text(string, x: x, y: 10, anchor: anchor, style: TextStyle(height: 40)))])
    }
}
