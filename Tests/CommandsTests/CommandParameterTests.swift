// SPDX-License-Identifier: Apache-2.0
import JSON
import Testing

@testable import Commands

struct CommandParameterTests {
    @Test(arguments: [
        ("5", JSONValue.integer(5)), ("-5", .integer(-5)), ("0", .integer(0)), ("+5", "+5"), ("05", "05"), ("-0", "-0"),
        ("5.0", "5.0"), ("", ""), ("9223372036854775808", "9223372036854775808"), ("٣", "٣"),
    ])
    func integersOfAQueryAreWrittenAsInJSON(text: String, expected: JSONValue) {
        #expect(CommandParameter("n", .integer(0...9), "").value(ofQuery: text) == expected)
    }

    @Test func othersOfAQuery() {
        let flag = CommandParameter("f", .flag, "")
        #expect(flag.value(ofQuery: "true") == true && flag.value(ofQuery: "false") == false)
        #expect(!flag.accepts(flag.value(ofQuery: "")) && !flag.accepts(flag.value(ofQuery: "True")))
        #expect(CommandParameter("t", .text(0...9), "").value(ofQuery: "5") == "5")
        let either = CommandParameter("e", .integerOrWord(1...9, "default"), "")
        #expect(either.accepts(either.value(ofQuery: "default")) && either.accepts(either.value(ofQuery: "9")))
        #expect(!either.accepts(either.value(ofQuery: "10")))
    }

    @Test func rolesIncludeThoseBeforeThem() {
        let roles = Command.Role.allCases
        for (place, role) in roles.enumerated() {
            for (other, needed) in roles.enumerated() { #expect(role.includes(needed) == (other <= place)) }
        }
    }
}
