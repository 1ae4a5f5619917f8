// SPDX-License-Identifier: Apache-2.0
import Commands
import JSON
import Rendering
import Testing

/// The names that `config/CONVENTIONS.md` promises.
struct CommandTests {
    @Test func commandsAreWordsWithHyphens() {
        for name in catalogue.commands.map(\.name) {
            #expect(name.wholeMatch(of: #/[a-z]+(-[a-z]+)*/#) != nil, "\(name)")
        }
    }

    @Test func membersAreCamelCase() {
        for command in catalogue.commands {
            let names = (command.arguments + command.options + Catalogue.commonOptions).map(\.name)
            for name in names + Self.members(of: command.answer) {
                #expect(name.wholeMatch(of: #/[a-z]+([A-Z]+[a-z]*)*/#) != nil, "\(name) of \(command.name)")
            }
        }
    }

    @Test func optionsAreTheirWordsWithHyphens() throws {
        let options = try catalogue.command(named: "ticker").options
        let speed = try #require(options.first { $0.name == "pixelsPerSecond" })
        #expect(speed.optionWord == "--pixels-per-second" && speed.placeholder == "PIXELS-PER-SECOND")
        let words = Set(catalogue.commands.flatMap(\.options).map(\.optionWord))
        #expect(words.allSatisfy { $0.wholeMatch(of: #/-(-[a-z]+)+/#) != nil })
        let line = try Invocation(
            ["ticker", "--pixels-per-second=125", "--position", "top", "Full time"], in: catalogue)
        let arguments: JSONValue = ["text": "Full time", "pixelsPerSecond": 125, "position": "top"]
        #expect(try line.action == .request(CommandRequest(command: "ticker", arguments: arguments, in: catalogue)))
        #expect(throws: CommandError.self) {
            try Invocation(["ticker", "--pixelsPerSecond", "125", "Full time"], in: catalogue)
        }
    }

    private static func members(of answer: AnswerDescription) -> [String] {
        answer.fields.map(\.name) + answer.columns.map(\.name)
    }
}
