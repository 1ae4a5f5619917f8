// SPDX-License-Identifier: Apache-2.0

/// A paragraph that is taken apart line by line. Lines end at spaces, after hyphens and between ideographs, as UAX #14
/// has it for those; libass as Debian builds it breaks at spaces alone.
struct LineBreaks {
    /// Limit on the characters of a line.
    private static let longestLine = 1_024
    /// What must not begin a line, and what must not end one, in Chinese and Japanese.
    private static let neverFirst: Set<Character> = [
        "、", "。", "，", "．", "：", "；", "！", "？", "」", "』", "）", "］", "｝", "】", "〉", "》", "ー", "々", "・", "…",
        "ぁ", "ぃ", "ぅ", "ぇ", "ぉ", "っ", "ゃ", "ゅ", "ょ", "ァ", "ィ", "ゥ", "ェ", "ォ", "ッ", "ャ", "ュ", "ョ",
    ]
    private static let neverLast: Set<Character> = ["「", "『", "（", "［", "｛", "【", "〈", "《"]

    private var rest: ArraySlice<Character>

    init(_ paragraph: String) { rest = Array(paragraph)[...] }

    var isEmpty: Bool { rest.isEmpty }
    var text: String { String(rest) }

    /// - Parameter fits: whether a line has room for a text; if it has room for one it has for each that this begins with.
    /// - Returns: the longest line that fits, at least a character of what is left.
    mutating func takeLine<Failure>(where fits: (String) throws(Failure) -> Bool) throws(Failure) -> String {
        let fitting = try Self.longest(min(rest.count, Self.longestLine)) { (count) throws(Failure) in
            try fits(String(rest.prefix(count)))
        }
        let length = fitting == rest.count ? fitting : longestBreak(atMost: max(1, fitting))
        defer {
            rest = rest.dropFirst(length).drop { $0 == " " }
        }
        return Self.trimmed(rest.prefix(length))
    }

    /// The greatest count that fits; 0 if none does. What fits with one count fits with each smaller one.
    static func longest<Failure>(
        _ most: Int, where fits: (Int) throws(Failure) -> Bool
    ) throws(Failure) -> Int {
        var (fitting, tooMany) = (0, most + 1)
        while tooMany - fitting > 1 {
            let middle = (fitting + tooMany) / 2
            if try fits(middle) { fitting = middle } else { tooMany = middle }
        }
        return fitting
    }

    private func longestBreak(atMost most: Int) -> Int {
        let start = rest.startIndex
        // A space may hang over the end.
        if start + most < rest.endIndex, rest[start + most] == " " { return most }
        for length in stride(from: most, to: 0, by: -1) where isBreak(start + length) { return length }
        return most
    }

    /// Whether a line may begin with the character at an index.
    private func isBreak(_ index: Int) -> Bool {
        guard index > rest.startIndex, index < rest.endIndex else { return false }
        let (last, first) = (rest[index - 1], rest[index])
        if last == " " || last == "-" { return true }
        guard Self.isIdeographic(last) || Self.isIdeographic(first) else { return false }
        return !Self.neverFirst.contains(first) && !Self.neverLast.contains(last)
    }

    private static func trimmed(_ line: ArraySlice<Character>) -> String {
        var line = line
        while line.last == " " { line.removeLast() }
        return String(line)
    }

    /// Whether it is of a script that is written without spaces: Chinese characters, kana, their punctuation and wide forms.
    private static func isIdeographic(_ character: Character) -> Bool {
        guard let scalar = character.unicodeScalars.first else { return false }
        switch scalar.value {
        case 0x2e80...0x9fff, 0xf900...0xfaff, 0xff00...0xff60, 0x20000...0x3fffd: return true
        default: return false
        }
    }
}
