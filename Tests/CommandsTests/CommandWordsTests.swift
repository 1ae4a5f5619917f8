// SPDX-License-Identifier: Apache-2.0
import Commands
import TestSupport
import Testing

@Suite struct CommandWordsTests {
    @Test(
        arguments: [
            ("", []), (" \t ", []), ("status", ["status"]), ("  tune   One\t", ["tune", "One"]),
            (#"tune "Arena One""#, ["tune", "Arena One"]), ("tune 'Arena \"One\"'", ["tune", "Arena \"One\""]),
            (#"tune Arena\ One"#, ["tune", "Arena One"]), (#"ticker --text="a b""#, ["ticker", "--text=a b"]),
            (#"say "" ''"#, ["say", "", ""]), (#"'a\b' "a\b" "a\\b" "a\"b""#, [#"a\b"#, #"a\b"#, #"a\b"#, #"a"b"#]),
            (#"call '{"a": 1}'"#, ["call", #"{"a": 1}"#]),
            ("tune Zürich $HOME `id` ; | >x", ["tune", "Zürich", "$HOME", "`id`", ";", "|", ">x"]),
        ] as [(String, [String])])
    func splits(line: String, words: [String]) throws {
        #expect(try CommandWords(line).words == words)
    }

    @Test(arguments: [
        (#"tune "Arena"#, "the line ends within the quotes that begin at 6; expected \""),
        ("tune 'Arena \"", "the line ends within the quotes that begin at 6; expected '"),
        (#"tune \"#, "the line ends with a backslash; expected the character that it stands before"),
    ])
    func refuses(line: String, why: String) {
        do throws(CommandError) {
            Issue.record("\(try CommandWords(line).words)")
        } catch {
            #expect(error.description == why)
            #expect(error.status.code == .usage)
        }
    }

    @Test func aLineHasALimit() throws {
        let longest = String(repeating: "a", count: CommandWords.longest)
        #expect(try CommandWords(longest).words == [longest])
        #expect(throws: CommandError.lineTooLong(octets: 4_097, limit: 4_096)) { try CommandWords(longest + "a") }
    }

    /// Whatever the words are, there is a line that means them; and any line is taken or refused.
    @Test func anyWordsCanBeTyped() throws {
        var random = SplitMix64(seed: 11)
        let letters = Array("ab \t'\"\\é\u{301}$\u{0}\r\n")
        for _ in 0..<20_000 {
            let words = (0..<Int.random(in: 0...3, using: &random)).map { _ in
                String(
                    (0..<Int.random(in: 0...6, using: &random)).map { _ in letters.randomElement(using: &random) ?? "a"
                    })
            }
            let line = words.map {
                "'" + $0.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''") + "'"
            }
            #expect(try CommandWords(line.joined(separator: " ")).words == words)
            let rubbish = String((0..<12).map { _ in letters.randomElement(using: &random) ?? "a" })
            if let taken = try? CommandWords(rubbish) { #expect(taken.words.joined().count <= rubbish.count) }
        }
    }
}
