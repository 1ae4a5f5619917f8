// SPDX-License-Identifier: Apache-2.0
import JSON
import Shapes
import Testing

@testable import Commands

struct CommandFieldTests {
    @Test(arguments: [
        ("5", JSONValue.integer(5)), ("-5", .integer(-5)), ("0", .integer(0)), ("+5", "+5"), ("05", "05"), ("-0", "-0"),
        ("5.0", "5.0"), ("", ""), ("9223372036854775808", "9223372036854775808"), ("٣", "٣"),
    ])
    func integersOfAQueryAreWrittenAsInJSON(text: String, expected: JSONValue) {
        #expect(FieldDescription.option("n", .integer(0...9), "").value(ofQuery: text) == expected)
    }

    @Test func othersOfAQuery() {
        let flag = FieldDescription.option("f", .boolean, "")
        #expect(flag.value(ofQuery: "true") == true && flag.value(ofQuery: "false") == false)
        #expect(!flag.type.accepts(flag.value(ofQuery: "")) && !flag.type.accepts(flag.value(ofQuery: "True")))
        #expect(FieldDescription.option("t", .text(0...9), "").value(ofQuery: "5") == "5")
        let either = FieldDescription.option("e", .wordOr(["default"], .integer(1...9)), "")
        #expect(
            either.type.accepts(either.value(ofQuery: "default")) && either.type.accepts(either.value(ofQuery: "9")))
        #expect(!either.type.accepts(either.value(ofQuery: "10")))
    }

    /// `config set output.kind null`: a setting may have this word as its value, and no argument may be null.
    @Test func wordsOfAnyValue() {
        let value = FieldDescription("value", .anything, .required, "")
        #expect(value.value(of: "null") == "null" && value.value(of: "7") == 7 && value.value(of: "a b") == "a b")
        #expect(value.value(of: #"{"a":null}"#) == ["a": .null])
    }

    @Test func rolesIncludeThoseBeforeThem() {
        let roles = Role.allCases
        for (place, role) in roles.enumerated() {
            for (other, needed) in roles.enumerated() { #expect((role >= needed) == (other <= place)) }
        }
    }
}
