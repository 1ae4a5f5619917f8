// SPDX-License-Identifier: Apache-2.0
import Commands
import JSON
import Shapes
import Testing

@testable import ControlClient

@Suite struct ConclusionTests {
    /// What an answer says beside its rows.
    @Test func aSentenceBelowATable() {
        var conclusion = FieldDescription("sum", .text(0...40), .optional, "all")
        conclusion.display = FieldDisplay(style: .conclusion)
        let row = FieldDescription("n", .integer(0...9), .required, "n")
        let rows = FieldDescription("rows", .list(of: .record([row]), 0...9), .required, "rows")
        let answer = AnswerDescription(.table, [rows, conclusion])
        let text = AnswerText(isStyled: false)
        #expect(text.text(of: ["rows": [["n": 1]], "sum": "one"], as: answer) == "n\n1\n\none\n")
        #expect(text.text(of: ["rows": [["n": 1]]], as: answer) == "n\n1\n")
        #expect(!text.text(of: ["rows": [], "sum": "a\u{1b}b"], as: answer).contains("\u{1b}"))
    }
}
