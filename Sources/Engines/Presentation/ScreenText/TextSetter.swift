// SPDX-License-Identifier: Apache-2.0
import Media
import Typesetting

/// A text renderer that searches the fonts when the first text is measured or drawn.
/// - Thread: one.
final class TextSetter {
    private var renderer: TextRenderer?

    /// A text in lines, as wide as the widest of them.
    struct Block {
        let lines: [String]
        let style: TextStyle
        let width: Int

        var height: Int { lines.count * style.height }
    }

    /// How a text may be set: in this style if it then has at most this number of lines.
    struct Choice {
        let style: TextStyle
        let lines: Int
    }

    func draw(_ drawings: [Drawing], on canvas: borrowing CanvasBuffer) throws(TypesettingError) {
        try prepare()
        try renderer?.draw(drawings, on: canvas)
    }

    func extent(of text: Text) throws(TypesettingError) -> (width: Int, height: Int) {
        try prepare()
        return try renderer?.extent(of: text) ?? (0, 0)
    }

    func fit(_ string: String, in width: Int, style: TextStyle) throws(TypesettingError) -> String {
        try prepare()
        return try renderer?.fit(string, in: width, style: style) ?? string
    }

    func width(of string: String, style: TextStyle) throws(TypesettingError) -> Int {
        try extent(of: Text(string, x: 0, y: 0, style: style)).width
    }

    /// The text by the first choice by which it is whole, or by the last one and cut.
    func block(
        _ string: String, in width: Int, _ choices: [Choice], isOneParagraph: Bool = true
    ) throws(TypesettingError) -> Block {
        try prepare()
        let string = isOneParagraph ? string.split { $0.isNewline }.joined(separator: " ") : string
        for (index, choice) in choices.enumerated() {
            let isLast = index == choices.count - 1
            let lines =
                try renderer?.lines(
                    of: string, in: width, style: choice.style, limit: isLast ? choice.lines : choice.lines + 1) ?? []
            guard isLast || lines.count <= choice.lines else { continue }
            var widest = 0
            for line in lines { widest = max(widest, try self.width(of: line, style: choice.style)) }
            return Block(lines: lines, style: choice.style, width: min(widest, width))
        }
        return Block(lines: [], style: TextStyle(height: 1), width: 0)
    }

    private func prepare() throws(TypesettingError) {
        if renderer == nil { renderer = try TextRenderer() }
    }
}
