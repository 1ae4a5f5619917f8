// SPDX-License-Identifier: Apache-2.0
import Testing
import Venue

struct ProgramChoiceTests {
    private static let both = [ListedProgram(number: 1, name: "Eins"), ListedProgram(number: 2, name: "Zwei")]

    @Test func isListed() {
        #expect(ProgramChoice.name("Zwei").isListed(in: Self.both) && ProgramChoice.number(1).isListed(in: Self.both))
        #expect(!ProgramChoice.name("zwei").isListed(in: Self.both) && !ProgramChoice.number(3).isListed(in: Self.both))
    }

    /// A name is awaited while a program has none; a number is there with the PAT or not at all.
    @Test func isRuledOut() {
        let unnamed = [ListedProgram(number: 1, name: "Eins"), ListedProgram(number: 2)]
        #expect(!ProgramChoice.name("Drei").isRuledOut(by: []) && !ProgramChoice.number(3).isRuledOut(by: []))
        #expect(!ProgramChoice.name("Drei").isRuledOut(by: unnamed) && ProgramChoice.number(3).isRuledOut(by: unnamed))
        #expect(ProgramChoice.name("Drei").isRuledOut(by: Self.both))
        #expect(!ProgramChoice.name("Zwei").isRuledOut(by: Self.both))
    }

    @Test func inWords() {
        #expect(Self.both.text == "1 Eins, 2 Zwei" && ProgramChoice.name("Eins").text == "'Eins'")
        let many = (1...20).map { ListedProgram(number: $0) }
        #expect(many.text == "1, 2, 3, 4, 5, 6, 7, 8 and 12 more")
    }
}
