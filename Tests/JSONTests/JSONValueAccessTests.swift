// SPDX-License-Identifier: Apache-2.0
import JSON
import Testing

struct JSONValueAccessTests {
    @Test func writesSortedAndEscaped() {
        let text = "\"\\/\n\u{1}\u{7f}\u{80}é\u{9f}"
        let value: JSONValue = ["b": [1, 2.5, .null], "a": ["x": .string(text)], "c": [], "d": [:]]
        #expect(value.text() == #"{"a":{"x":"\"\\/\n\u0001\u007f\u0080é\u009f"},"b":[1,2.5,null],"c":[],"d":{}}"#)
        let pretty = "{\n  \"a\": [\n    1,\n    {}\n  ]\n}\n"
        #expect((["a": [1, [:]]] as JSONValue).text(pretty: true) == pretty)
        #expect(JSONValue.number(.nan).text() == "null")
        #expect(JSONValue.number(-.infinity).text() == "null")
        #expect(JSONValue.number(1e300).text() == "1e+300")
    }

    /// RFC 6901 §5.
    @Test func followsPointers() throws {
        let document = try JSONValue.parse(
            #"{"foo":["bar","baz"],"":0,"a/b":1,"c%d":2,"e^f":3,"g|h":4,"i\\j":5,"k\"l":6," ":7,"m~n":8}"#)
        let expected: [(String, JSONValue)] = [
            ("", document), ("/foo", ["bar", "baz"]), ("/foo/0", "bar"), ("/", 0), ("/a~1b", 1), ("/c%d", 2),
            ("/e^f", 3),
            ("/g|h", 4), ("/i\\j", 5), ("/k\"l", 6), ("/ ", 7), ("/m~0n", 8),
        ]
        for (pointer, value) in expected { #expect(document.at(pointer) == value, "\(pointer)") }
        for nothing in [
            "foo", "/foo/2", "/foo/00", "/foo/-", "/foo/+1", "/foo/-1", "/foo/0/x", "/m~n", "/m~2n", "/x", "/foo/",
        ] {
            #expect(document.at(nothing) == nil, "\(nothing)")
        }
    }

    /// RFC 7396 appendix A.
    static let patches: [(String, String, String)] = [
        (#"{"a":"b"}"#, #"{"a":"c"}"#, #"{"a":"c"}"#), (#"{"a":"b"}"#, #"{"b":"c"}"#, #"{"a":"b","b":"c"}"#),
        (#"{"a":"b"}"#, #"{"a":null}"#, "{}"), (#"{"a":"b","b":"c"}"#, #"{"a":null}"#, #"{"b":"c"}"#),
        (#"{"a":["b"]}"#, #"{"a":"c"}"#, #"{"a":"c"}"#), (#"{"a":"c"}"#, #"{"a":["b"]}"#, #"{"a":["b"]}"#),
        (#"{"a":{"b":"c"}}"#, #"{"a":{"b":"d","c":null}}"#, #"{"a":{"b":"d"}}"#),
        (#"{"a":[{"b":"c"}]}"#, #"{"a":[1]}"#, #"{"a":[1]}"#), (#"["a","b"]"#, #"["c","d"]"#, #"["c","d"]"#),
        (#"{"a":"b"}"#, #"["c"]"#, #"["c"]"#), (#"{"a":"foo"}"#, "null", "null"),
        (#"{"a":"foo"}"#, #""bar""#, #""bar""#),
        (#"{"e":null}"#, #"{"a":1}"#, #"{"e":null,"a":1}"#), ("[1,2]", #"{"a":"b","c":null}"#, #"{"a":"b"}"#),
        ("{}", #"{"a":{"bb":{"ccc":null}}}"#, #"{"a":{"bb":{}}}"#),
    ]

    @Test(arguments: patches)
    func mergesPatches(original: String, patch: String, result: String) throws {
        #expect(try JSONValue.parse(original).merging(patch: .parse(patch)) == .parse(result))
    }

    @Test func yieldsTypedValuesOnlyOfTheirKind() {
        #expect(JSONValue.number(3).integer == 3)
        #expect(JSONValue.number(3.5).integer == nil)
        #expect(JSONValue.number(1e300).integer == nil)
        #expect(JSONValue.string("3").integer == nil)
        #expect(JSONValue.integer(3).number == 3)
        #expect(JSONValue.integer(1).bool == nil)
        var value: JSONValue = ["a": 1]
        value["b"] = "x"
        value["a"] = nil
        #expect(value == ["b": "x"])
        #expect((["a"] as JSONValue)["a"] == nil)
    }
}
