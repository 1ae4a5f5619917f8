// SPDX-License-Identifier: Apache-2.0
import Testing
import Venue

@testable import LineUp

struct ProgramTableTests {
    private static let both = [ListedProgram(number: 1, name: "Eins"), ListedProgram(number: 2, name: "Zwei")]

    @Test func keepsWhatWasHeardLast() {
        var table = ProgramTable()
        let isNews = table.heard(Self.both, on: .init("a"))
        let isNewsAgain = table.heard(Self.both, on: .init("a"))
        #expect(isNews && !isNewsAgain)
        #expect(table[.init("a")] == Self.both && table[.init("b")].isEmpty)
        _ = table.heard([Self.both[1]], on: .init("b"))
        #expect(table.channels(with: "Zwei").map(\.text) == ["a", "b"] && table.channels(with: "Drei").isEmpty)
        table.remove(.init("a"))
        #expect(table.channels(with: "Zwei").map(\.text) == ["b"])
    }

    @Test func oneProgramWithoutAName() {
        var table = ProgramTable()
        let isNews = table.heard([ListedProgram(number: 1)], on: .init("a"))
        #expect(!isNews && table[.init("a")].isEmpty)
        let isChoice = table.heard([ListedProgram(number: 1), ListedProgram(number: 2)], on: .init("a"))
        #expect(isChoice)
    }
}
