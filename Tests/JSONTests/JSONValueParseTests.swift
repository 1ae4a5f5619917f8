// SPDX-License-Identifier: Apache-2.0
import JSON
import TestSupport
import Testing

/// The cases follow the naming of JSONTestSuite (Nicolas Seriot): y must be accepted, n must be refused.
struct JSONValueParseTests {
    func failure(_ octets: [UInt8], _ limits: JSONLimits = JSONLimits()) -> JSONError? {
        do {
            _ = try JSONValue.parse(octets, limits: limits)
            return nil
        } catch {
            return error
        }
    }

    static let accepted: [(String, JSONValue)] = [
        ("null", .null), (" true\t", true), ("\r\nfalse ", false), ("0", 0), ("-0", 0), ("-1", -1),
        ("9223372036854775807", .integer(.max)), ("-9223372036854775808", .integer(.min)),
        ("1.0", 1.0), ("1e2", 100.0), ("1E+2", 100.0), ("0e1", 0.0), ("-0.5e-1", -0.05), ("1e-400", 0.0),
        ("123456789012345678901234567890.0", 123456789012345678901234567890.0),
        ("\"\"", ""), ("\"a\"", "a"), (#""\"\\\/\b\f\n\r\t""#, "\"\\/\u{8}\u{c}\n\r\t"),
        (#""\u0041\u00e9""#, "A\u{e9}"),
        (#""\uD83D\udE00""#, "\u{1F600}"), (#""\u0000""#, "\u{0}"), (#""\uFFFF""#, "\u{FFFF}"),
        ("\"\u{7f}\"", "\u{7f}"),
        ("\"\u{E000}\u{10FFFF}\u{2028}\"", "\u{E000}\u{10FFFF}\u{2028}"), (#""x\u0041y""#, "xAy"),
        ("[]", []), ("[ ]", []), ("[1,[2],{}]", [1, [2], [:]]), ("[[[]]]", [[[]]]),
        ("[null, 1, \"1\", {}]", [.null, 1, "1", [:]]),
        ("{}", [:]), ("{\"\":0}", ["": 0]), (#"{"a":{"b":[]},"c":1.5}"#, ["a": ["b": []], "c": 1.5]),
        (#"{"a\u0062":1}"#, ["ab": 1]),
    ]

    @Test(arguments: accepted)
    func accepts(text: String, value: JSONValue) throws {
        #expect(try JSONValue.parse(text) == value)
        #expect(try JSONValue.parse(value.text()) == value)
        #expect(try JSONValue.parse(value.text(pretty: true)) == value)
    }

    static let refused = [
        "", " ", "nul", "nulll", "True", "NaN", "Infinity", "-Infinity", "+1", "-", "--1", "01", "-01", "1.", ".5",
        "1.e1",
        "1e", "1e+", "1eE2", "0x1", "1_000", "1 2", "1,", "９", "-a", "2.e3", "0.3e", "1ea", "- 1",
        "[", "]", "[1", "[1,", "[1,]", "[,1]", "[,]", "[1,,2]", "[1 2]", "[1}", "[a", "[\"a\"", "[1]]", "[\u{c}]",
        "[1],",
        "{", "}", "{,}", "{1:1}", "{\"a\"}", "{\"a\":}", "{\"a\":1,}", "{\"a\" 1}", "{\"a\":1 \"b\":2}", "{a:1}",
        "{'a':1}",
        "{\"a\":1}{", "{\"a\"::1}", "{\"a\":1,,\"b\":2}", "{\"a\":\"b\"}/**/", "{\"a\":1}#", "// x\n1", "{\"a\":1]",
        "\"", "\"a", "\"\\", "\"\\\"", #""\x41""#, #""\a""#, #""\U0041""#, #""\u00""#, #""\u00G0""#, #""\u 041""#,
        "'a'",
        "\"\t\"", "\"\n\"", "\"\u{0}\"", "\"\u{1f}\"", #""\uD800""#, #""\uDC00""#, #""\uD800\uD800""#, #""\uD800x""#,
        #""\uD800\n""#, #""\uDC00\uD800""#, #""\uD83D\u00""#, "\u{feff}1", "\u{a0}1", "\u{2060}", "<null>", "&", "*",
        "9223372036854775808", "-9223372036854775809", "1e400", "-1e400", "123456789012345678901234567890",
    ]

    @Test(arguments: refused)
    func refuses(text: String) {
        #expect(throws: JSONError.self) { try JSONValue.parse(text) }
    }

    static let malformed: [[UInt8]] = [
        [0x80], [0xbf], [0xc0, 0x80], [0xc1, 0xbf], [0xc3], [0xc3, 0x28], [0xe0, 0x80, 0x80], [0xe0, 0x9f, 0xbf],
        [0xe2, 0x82],
        [0xed, 0xa0, 0x80], [0xed, 0xbf, 0xbf], [0xf0, 0x80, 0x80, 0x80], [0xf0, 0x8f, 0xbf, 0xbf], [0xf0, 0x9f, 0x98],
        [0xf4, 0x90, 0x80, 0x80], [0xf5, 0x80, 0x80, 0x80], [0xf8, 0x88, 0x80, 0x80, 0x80], [0xff], [0xfe],
    ]

    @Test(arguments: malformed)
    func refusesMalformedUTF8(octets: [UInt8]) {
        let error = failure([0x5b, 0x22, 0x61] + octets + [0x22, 0x5d])
        #expect(error?.reason == .invalidUTF8)
        #expect(error?.offset == 3)
        #expect(error?.path == "/0")
    }

    @Test func namesLineColumnAndPath() {
        let text = "{\n  \"chä/nn~els\": [\n    {\"näme\": tru}\n  ]\n}"
        let error = failure(Array(text.utf8))
        #expect(error?.line == 3)
        #expect(error?.column == 17)
        #expect(error?.path == "/chä~1nn~0els/0/näme")
        #expect(
            error?.description == "line 3, column 17, at /chä~1nn~0els/0/näme: '}' where 'true' is expected")
    }

    @Test func refusesAKeyThatIsThereTwice() {
        let error = failure(Array(#"{"a":{"b":1,"\u0062":2}}"#.utf8))
        #expect(error?.reason == .duplicateKey("b"))
        #expect(error?.path == "/a/b")
        #expect(error?.offset == 12)
    }

    @Test func saysThatAnIntegerIsOutOfRange() {
        let error = failure(Array("[9223372036854775808]".utf8))
        #expect(error?.reason == .numberOutOfRange)
        #expect(error?.description.contains("64 bits") == true)
    }

    @Test func holdsToItsLimits() throws {
        func nested(_ depth: Int) -> String {
            String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
        }
        _ = try JSONValue.parse(nested(32))
        #expect(throws: JSONError.self) { try JSONValue.parse(nested(33)) }
        #expect(throws: JSONError.self) { try JSONValue.parse(nested(100_000)) }
        _ = try JSONValue.parse(nested(256), limits: JSONLimits(maximumDepth: .max))
        #expect(throws: JSONError.self) { try JSONValue.parse(nested(257), limits: JSONLimits(maximumDepth: .max)) }
        #expect(throws: JSONError.self) { try JSONValue.parse("123", limits: JSONLimits(maximumOctets: 2)) }
        _ = try JSONValue.parse("[1,2]", limits: JSONLimits(maximumValues: 3))
        let error = failure(Array("[1,2]".utf8), JSONLimits(maximumValues: 2))
        #expect(error?.reason == .tooManyValues(limit: 2))
    }

    static let document = Array(#"{"é\u00e9\ud83d\ude00":[1,-2.5e3,true,false,null,"x"],"o":{"p":{"q":"ü€😀"}}}"#.utf8)

    @Test func refusesEveryTruncation() {
        for count in 0..<Self.document.count {
            #expect(throws: JSONError.self, "\(count) octets") { try JSONValue.parse(Array(Self.document[..<count])) }
        }
    }

    @Test func mutationNeverTrapsAndRoundTripsWhatItAccepts() throws {
        var mutation = Mutation(seed: 1)
        for _ in 0..<Mutation.count() {
            guard let value = try? JSONValue.parse(mutation.damage(Self.document)) else { continue }  // refused: fine
            #expect(try JSONValue.parse(value.octets()) == value)
        }
    }
}
