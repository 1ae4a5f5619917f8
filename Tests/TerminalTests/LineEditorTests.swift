// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing

@testable import Terminal

/// Somebody at a terminal.
private struct Typist {
    var editor: LineEditor
    var terminal = FakeTerminal()
    private(set) var actions: [LineEditor.Action] = []

    init(columns: Int = 80, limit: Int = 4_096, isHidden: Bool = false) {
        editor = LineEditor(prompt: "touchline> ", limit: limit, columns: columns, isHidden: isHidden)
        editor.begin()
        type("")
    }

    /// Each octet in a chunk of its own, as a slow line has them.
    mutating func type(_ text: String) {
        if text.isEmpty { run() }
        for octet in text.utf8 {
            editor.feed([octet])
            run()
        }
    }

    /// All of it in one chunk.
    mutating func paste(_ text: String) {
        editor.feed(Array(text.utf8))
        run()
    }

    mutating func run() {
        while let action = editor.next() {
            if case .write(let octets) = action {
                terminal.write(octets)
                continue
            }
            actions.append(action)
            switch action {
            case .line, .tooLong, .interrupted: editor.begin()
            case .explain("who\""): editor.insert("?")
            case .explain: editor.show(["help"])
            case .complete("sta"): editor.insert("tus ")
            case .complete: editor.ring()
            case .ended, .write: break
            }
        }
    }

    var lines: [String] {
        actions.compactMap { if case .line(let line) = $0 { line } else { nil } }
    }
}

@Suite struct LineEditorTests {
    @Test func aLineIsTypedAndEntered() {
        var typist = Typist()
        typist.type("status\r")
        #expect(typist.lines == ["status"])
        #expect(typist.terminal.above == ["touchline> status"] && typist.terminal.text == "touchline>")
        #expect(typist.terminal.column == 11)
    }

    /// Terminals send CR, LF or both, and telnet CR NUL.
    @Test(arguments: ["\r", "\n", "\r\n", "\r\0"]) func eachEndOfALineIsOne(_ end: String) {
        var typist = Typist()
        typist.type("one\(end)two\(end)")
        #expect(typist.lines == ["one", "two"])
        typist.paste("three\(end)four\(end)")
        #expect(typist.lines == ["one", "two", "three", "four"])
    }

    @Test func keysMoveAndRemove() {
        for (keys, line) in [
            ("abc\u{8}\u{7f}d", "ad"), ("abc\u{1b}[D\u{1b}[DX", "aXbc"), ("bc\u{1}a\u{5}d", "abcd"),
            ("abc\u{1b}OD\u{1b}OD\u{1b}OCX", "abXc"), ("abc\u{1b}[1~X\u{1b}[4~Y", "XabcY"),
            ("abc\u{1b}[HX\u{1b}[FY", "XabcY"),
            ("abc\u{2}\u{2}\u{4}", "ac"), ("abc\u{1}\u{1b}[3~", "bc"), ("one two\u{17}X", "one X"),
            ("one two\u{15}X", "X"), ("one two\u{1b}b\u{b}X", "one X"), ("one two\u{1b}b\u{1b}b\u{1b}fX", "oneX two"),
            ("one two\u{17}\u{1}\u{19}", "twoone "), ("one two\u{1}\u{1b}d", " two"), ("one two\u{1b}\u{7f}", "one "),
            ("one two\u{1b}[1;5DX", "one Xtwo"), ("a\u{6}b", "ab"),
        ] {
            var typist = Typist()
            typist.type(keys + "\r")
            #expect(typist.lines == [line], "\(keys.debugDescription)")
            let row = "touchline> " + line
            #expect(typist.terminal.above == [line.last == " " ? String(row.dropLast()) : row])
        }
    }

    @Test func historyIsWalked() {
        var typist = Typist()
        typist.type("one\rtwo\rtwo\r\r")
        typist.type("dra\u{1b}[A\u{10}")
        #expect(typist.terminal.text == "touchline> one")
        typist.type("\u{1b}[A")
        #expect(typist.terminal.bells == 1)
        typist.type("\u{1b}[B\u{1b}[B")
        #expect(typist.terminal.text == "touchline> dra")
        typist.type("ft\r")
        #expect(typist.lines == ["one", "two", "two", "", "draft"])
    }

    @Test func controlKeysEnd() {
        var typist = Typist()
        typist.type("half\u{3}\u{4}")
        #expect(typist.actions == [.interrupted, .ended])
        #expect(typist.terminal.above == ["touchline> half", "touchline>"])
    }

    @Test func helpAndCompletion() {
        var typist = Typist()
        typist.type("sta\t?\r")
        #expect(typist.actions == [.complete("sta"), .explain("status "), .line("status ")])
        #expect(typist.terminal.above == ["touchline> status", "help", "touchline> status"])
        typist.type("x\t\r")
        #expect(typist.terminal.bells == 1)
    }

    /// Whether a question mark is text is up to who explains, unless it was pasted.
    @Test func aQuestionMarkMayBeText() {
        var typist = Typist()
        typist.type("who\"?\r")
        #expect(typist.actions == [.explain("who\""), .line("who\"?")])
        typist.paste("tune Who?nobody\tx\r")
        #expect(typist.lines.last == "tune Who?nobody x")
    }

    @Test func textIsReplaced() {
        var typist = Typist()
        typist.type("tune Ar\u{1b}[D\u{1b}[D")
        typist.type("\u{5}")
        typist.editor.replace(2, with: "\"Arena ")
        typist.run()
        #expect(typist.terminal.text == "touchline> tune \"Arena")
        typist.editor.replace(999, with: "x")
        typist.type("\r")
        #expect(typist.lines == ["x"])
    }

    @Test func aSecretIsNotShown() {
        var typist = Typist(isHidden: true)
        typist.type("se\u{8}cret\r\u{1b}[A\r")
        #expect(typist.lines == ["scret", ""] && typist.terminal.above == ["touchline>", "touchline>"])
    }

    @Test func scriptsAndMarks() {
        var typist = Typist()
        typist.type("日本e\u{301}\u{301}\u{301}\u{301}\u{301}\u{301}x\u{8}\u{8}\u{8}語\r")
        #expect(typist.lines == ["日語"])
        typist.type("a\u{202e}b\u{200b}\u{2028}c\r")
        #expect(typist.lines.last == "abc")
        typist.type("🇩🇪👍🏽\u{8}!\r")
        #expect(typist.lines.last == "🇩🇪!")
        #expect(typist.terminal.faults == 0)
    }

    @Test func aLineThatIsTooLongIsThrownAway() {
        var typist = Typist(limit: 64)
        typist.paste(String(repeating: "x", count: 100_000))
        typist.paste("\rok\r")
        #expect(typist.actions == [.tooLong, .line("ok")] && typist.terminal.bells == 1)
        var other = Typist()
        for _ in 0..<100 { other.paste(String(repeating: "é", count: 50_000)) }
        other.paste("\r")
        #expect(other.actions == [.tooLong])
    }

    @Test(arguments: [0, 1, 20, 24, 80, 65_535]) func aWideLineStaysInItsRow(_ columns: Int) {
        var typist = Typist(columns: columns)
        let text = (0..<60).map { "w\($0) 日" }.joined(separator: " ")
        typist.type(text)
        #expect(typist.terminal.above.isEmpty && typist.terminal.widest < typist.editor.columns)
        typist.type("\u{1}X\u{5}Y\r")
        #expect(typist.lines == ["X" + text + "Y"] && typist.terminal.faults == 0)
    }

    /// Keys without sense or end: the terminal shows what the editor has, in one row, and nothing else.
    @Test(arguments: 1...40 as ClosedRange<UInt64>) func theTerminalShowsWhatIsEdited(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        let keys = [
            "a", "b", " ", "é", "e\u{301}", "日", "👍🏽", "\u{1b}[D", "\u{1b}[C", "\u{8}", "\u{1b}[3~", "\u{1}", "\u{5}",
            "\u{17}", "\u{b}", "\u{19}", "\u{1b}b", "\u{1b}f", "\u{1b}[A", "\u{1b}[B", "\r", "?", "\t", "\u{3}", "\"",
            "\u{1b}[99;99x", "\u{1b}Oz", "\u{c}", "word", "\0", "\u{18}",
        ]
        var typist = Typist(columns: Int.random(in: 20...60, using: &random))
        for _ in 0..<400 {
            let key = keys.randomElement(using: &random) ?? "a"
            if Bool.random(using: &random) { typist.type(key) } else { typist.paste(key) }
            let shown = typist.terminal.text
            #expect(shown.hasPrefix("touchline>"), "seed \(seed)")
            // Drawn anew, it is the same.
            var anew = typist
            anew.editor.redraw()
            anew.terminal = FakeTerminal()
            anew.run()
            #expect(anew.terminal.text == shown && anew.terminal.column == typist.terminal.column, "seed \(seed)")
        }
        #expect(typist.terminal.faults == 0 && typist.terminal.widest < typist.editor.columns, "seed \(seed)")
    }

    @Test(arguments: 1...20 as ClosedRange<UInt64>) func anyOctetsAreTaken(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        var typist = Typist(columns: 40)
        for _ in 0..<200 {
            typist.editor.feed((0..<50).map { _ in UInt8.random(in: 0...255, using: &random) })
            typist.run()
            if typist.actions.contains(.ended) { typist = Typist(columns: 40) }
        }
        #expect(typist.terminal.faults == 0 && typist.terminal.widest < 40, "seed \(seed)")
    }
}
