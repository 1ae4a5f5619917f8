// SPDX-License-Identifier: Apache-2.0
import Commands
import TestSupport
import Testing

@Suite struct ConsoleLineTests {
    @Test(
        arguments: [
            ("show log | include wifi", ["show", "log"], [.include("wifi")], false),
            (
                "stats|inc lost packets|exc \"|\"|cou", ["stats"], [.include("lost packets"), .exclude("|"), .count],
                false
            ),
            ("status | json", ["status"], [], true), ("status | j | c", ["status"], [.count], true),
            ("tune \"A | B\"", ["tune", "A | B"], [], false), ("tune A\\|B", ["tune", "A|B"], [], false),
            ("", [], [], false), ("touchline log --kernel | count", ["log", "--kernel"], [.count], false),
            ("touchline", ["touchline"], [], false),
        ] as [(String, [String], [LineFilter], Bool)])
    func readsFilters(text: String, words: [String], filters: [LineFilter], isJSON: Bool) throws {
        let line = try ConsoleLine(text)
        #expect(line.words == words && line.filters == filters && line.isJSON == isJSON)
    }

    @Test(arguments: [
        ("status | grep x", "'grep' behind a bar; expected one of include, exclude, count, json"),
        ("status |", "'' behind a bar; expected one of include, exclude, count, json"),
        ("| count", "expected a command; see 'touchline help'"),
        ("status | include", "include: TEXT is missing; expected a text of the lines"),
        ("status | count x", "unexpected argument 'x' of count"),
        ("status" + String(repeating: " | count", count: 9), "more than 8 bars; expected fewer"),
        ("status | include \"x", "the line ends within the quotes that begin at 18; expected \""),
    ])
    func refuses(text: String, why: String) {
        do throws(CommandError) {
            Issue.record("\(try ConsoleLine(text))")
        } catch {
            #expect(error.description == why)
        }
    }

    @Test func linesPassFilters() {
        #expect(LineFilter.include("WIFI").admits("xx Wifi yy") && !LineFilter.include("wifi").admits("wi fi"))
        #expect(!LineFilter.exclude("é").admits("É") && LineFilter.exclude("é").admits("e"))
        #expect(LineFilter.include("").admits("") && !LineFilter.include("longer").admits("long"))
    }

    @Test func unfinishedLines() {
        let typed = TypedWords("show 'a b' c")
        #expect(typed.whole == ["show", "a b"] && typed.begun == "c" && typed.filters == 0)
        #expect(TypedWords("show \"a").takesQuestionMark && TypedWords("tune rtp://a").takesQuestionMark)
        #expect(TypedWords("a \\").takesQuestionMark && !TypedWords("a \"b\" ").takesQuestionMark)
        #expect(TypedWords("log | inc").filters == 1 && TypedWords("log | inc").begun == "inc")
    }

    /// Any line is read or refused, and what is read has the words that the rules give.
    @Test func anyLineIsTaken() {
        var random = SplitMix64(seed: 23)
        let letters = Array("ab |\t'\"\\é\u{301}?$\u{0}\r\n")
        for _ in 0..<20_000 {
            let line = String((0..<14).map { _ in letters.randomElement(using: &random) ?? "a" })
            _ = TypedWords(line)
            if let read = try? ConsoleLine(line) { #expect(read.words.joined().count <= line.count) }
        }
    }
}
