// SPDX-License-Identifier: Apache-2.0
import JSON
import TestSupport
import Testing
import Time
import Venue

@testable import CompanionScreens

@Suite struct CIIMessageTests {
    static func parse(_ text: String) throws -> CIIMessage { try CIIMessage(parsing: Array(text.utf8)) }

    private func written(_ message: CIIMessage) -> String { String(decoding: message.octets, as: UTF8.self) }

    /// CSS-25, 26 and CSS-28…32.
    @Test func readsTheFirstMessage() throws {
        let message = try Self.parse(Captured.firstCII)
        #expect(message.protocolVersion == .value(.onePointOne))
        #expect(message.contentID == .value(Captured.contentID) && message.contentIDStatus == .value(.final))
        #expect(message.presentationStatus == .value(PresentationStatus(.okay)))
        #expect(message.mrsURL == .absent && message.teURL == .absent && message.privateData == .absent)
        #expect(message.wcURL == .value(WallClockURL(NumericAddress(v4: 0x7f00_0001), port: 16_677)))
        #expect(message.tsURL.value?.description == "ws://127.0.0.1:17681/ts")
        #expect(
            message.timelines
                == .value([
                    TimelineOption(.pts, TimelineProperties(.mpeg)),
                    TimelineOption(
                        .temi(componentTag: 1, timelineID: 1),
                        TimelineProperties(unitsPerSecond: 1_000, accuracy: 0.01)),
                ]))
        #expect(written(message) == Captured.firstCII)
    }

    @Test(arguments: [Captured.status, Captured.content, "{}"]) func readsAndWritesDeltas(text: String) throws {
        #expect(written(try Self.parse(text)) == text)
    }

    /// CSS-27, 34: what is null is told apart from what is not there.
    @Test func everyPropertyIsAbsentOrNullOrAValue() throws {
        let values = [
            #""protocolVersion":"1.1""#, #""contentId":"urn:x""#, #""contentIdStatus":"partial""#,
            #""presentationStatus":"fault tag:x""#, #""mrsUrl":"http://a/""#, #""wcUrl":"udp://tv.example:6677""#,
            #""tsUrl":"ws://[fe80::1]:7681/ts?a""#, #""teUrl":"wss://tv.example""#,
            #""timelines":[{"timelineSelector":"x","timelineProperties":{"unitsPerTick":1001,"unitsPerSecond":30000},"#
                + #""private":[{"type":"urn:z","a":[1,{"b":null}]}]}]"#,
            #""private":[{"type":"urn:y","b":"c"},{"type":""}]"#,
        ]
        let nulls = CIIMessage.Name.allCases.map { "\"\($0.rawValue)\":null" }
        #expect(values.count == nulls.count)
        for members in [values, nulls] {
            let whole = "{\(members.joined(separator: ","))}"
            #expect(written(try Self.parse(whole)) == whole)
            for member in members { #expect(written(try Self.parse("{\(member)}")) == "{\(member)}") }
        }
        let null = try Self.parse("{\(nulls.joined(separator: ","))}")
        #expect(null.mrsURL == .null && null.mrsURL.value == nil)
        #expect(try Self.parse(#"{"timelines":[],"later":{"x":1}}"#).timelines == .value([]))
    }

    /// What televisions were met to send: lists, numbers and strings in each other's place.
    @Test func readsWhatIsNotQuiteRight() throws {
        let status = PresentationStatus(.okay, extensions: ["x:y", "z"])
        for text in [#""okay x:y z""#, #"["okay","x:y","z"]"#, #"["okay x:y"," z"]"#, #""okay  x:y z ""#] {
            #expect(try Self.parse("{\"presentationStatus\":\(text)}").presentationStatus == .value(status))
        }
        #expect(try Self.parse(#"{"protocolVersion":1.1}"#).protocolVersion == .value(.onePointOne))
        let timeline =
            #"{"timelines":[{"timelineSelector":"urn:dvb:css:timeline:pts","private":null,"timelineProperties":"#
            + #"{"unitsPerTick":"1","unitsPerSecond":9e4,"accuracy":"2.5e-1"}}]}"#
        #expect(
            try Self.parse(timeline).timelines
                == .value([TimelineOption(.pts, TimelineProperties(unitsPerSecond: 90_000, accuracy: 0.25))]))
    }

    /// CSS-26: any other version is refused, whatever else the message has.
    @Test(arguments: [#""1.0""#, #""2.0""#, #""1.1 ""#, "2", "\"\""]) func refusesOtherVersions(version: String) {
        let error = thrown(CompanionMessageError.self) {
            try Self.parse("{\"protocolVersion\":\(version),\"timelines\":7}")
        }
        guard case .unsupportedVersion = error else {
            Issue.record("\(version): \(String(describing: error))")
            return
        }
    }

    @Test(
        arguments: [
            (#"[]"#, #"the message is [] where an object is expected"#),
            (#"{"protocolVersion":true}"#, #"/protocolVersion is true where "1.1" is expected"#),
            (
                #"{"contentId":7}"#,
                "/contentId is 7 where a text of at most 2048 octets without control characters is expected"
            ),
            (#"{"contentIdStatus":"Final"}"#, #"/contentIdStatus is "Final" where "partial" or "final" is expected"#),
            (
                #"{"presentationStatus":"fine"}"#,
                #"/presentationStatus is "fine" where okay, transitioning or fault, then at most 15 words, is expected"#
            ),
            (#"{"wcUrl":"udp://tv"}"#, #"/wcUrl is "udp://tv" where udp://host:port is expected"#),
            (#"{"tsUrl":"http://tv"}"#, #"/tsUrl is "http://tv" where ws://host is expected"#),
            (#"{"teUrl":[]}"#, "/teUrl is [] where ws://host is expected"),
            (#"{"timelines":{}}"#, "/timelines is {} where a list of at most 64 is expected"),
            (#"{"timelines":[1]}"#, "/timelines/0 is 1 where an object is expected"),
            (
                #"{"timelines":[{"timelineSelector":"x"}]}"#,
                "/timelines/0/timelineProperties is missing where an object is expected"
            ),
            (
                #"{"timelines":[{"timelineSelector":"x","timelineProperties":{"unitsPerTick":0,"unitsPerSecond":1}}]}"#,
                "/timelines/0/timelineProperties/unitsPerTick is 0 where an integer 1...1000000000 is expected"
            ),
            (
                #"{"timelines":[{"timelineSelector":"x","timelineProperties":{"unitsPerTick":1}}]}"#,
                "/timelines/0/timelineProperties/unitsPerSecond is missing where an integer 1...1000000000 is expected"
            ),
            (#"{"private":[{"a":1}]}"#, "/private/0/type is missing where a text of at most 2048 octets"),
            ("{", "not JSON: line 1, column 2: the text ends where a key in '\"' is expected"),
        ])
    func refuses(text: String, reason: String) {
        let error = thrown(CompanionMessageError.self) { try Self.parse(text) }
        #expect(error?.description.hasPrefix(reason) == true, "\(String(describing: error))")
    }

    @Test(
        arguments: [
            ("unitsPerTick", "-1"), ("unitsPerTick", "1.5"), ("unitsPerTick", "\"01\""), ("unitsPerTick", "null"),
            ("unitsPerSecond", "1000000001"), ("unitsPerSecond", "9223372036854775807"), ("unitsPerSecond", "[1]"),
            ("unitsPerSecond", "1e+300"), ("accuracy", "-0.1"), ("accuracy", "\"1e999\""), ("accuracy", "\"nan\""),
            ("accuracy", "{}"),
        ])
    func refusesAbsurdTimelines(name: String, value: String) {
        var properties = ["unitsPerTick": "1", "unitsPerSecond": "1", "accuracy": "0"]
        properties[name] = value
        let members = properties.map { "\"\($0)\":\($1)" }.joined(separator: ",")
        let error = thrown(CompanionMessageError.self) {
            try Self.parse("{\"timelines\":[{\"timelineSelector\":\"x\",\"timelineProperties\":{\(members)}}]}")
        }
        #expect(error?.description.contains("/timelines/0/timelineProperties/\(name) is \(value)") == true)
    }

    @Test func refusesWhatIsTooLong() throws {
        let timeline = #"{"timelineSelector":"x","timelineProperties":{"unitsPerTick":1,"unitsPerSecond":1}}"#
        func timelines(_ count: Int) -> String {
            "{\"timelines\":[\(Array(repeating: timeline, count: count).joined(separator: ","))]}"
        }
        #expect(try Self.parse(timelines(64)).timelines.value?.count == 64)
        #expect(thrown(CompanionMessageError.self) { try Self.parse(timelines(65)) } != nil)
        func status(_ words: Int) -> String {
            "{\"presentationStatus\":\"okay\(String(repeating: " x", count: words))\"}"
        }
        #expect(try Self.parse(status(15)).presentationStatus.value?.extensions.count == 15)
        #expect(thrown(CompanionMessageError.self) { try Self.parse(status(16)) } != nil)
        func content(_ octets: Int) -> String { "{\"contentId\":\"\(String(repeating: "é", count: octets / 2))\"}" }
        #expect(try Self.parse(content(2_048)).contentID.value?.utf8.count == 2_048)
        #expect(thrown(CompanionMessageError.self) { try Self.parse(content(2_050)) } != nil)
        #expect(thrown(CompanionMessageError.self) { try Self.parse(#"{"contentId":"a\u0007"}"#) } != nil)
        let padded = "{\(String(repeating: " ", count: CIIMessage.mostOctets - 2))}"
        #expect(try Self.parse(padded) == CIIMessage())
        guard case .invalidJSON = thrown(CompanionMessageError.self, by: { try Self.parse(padded + " ") }) else {
            Issue.record("\(padded.utf8.count + 1) octets were read")
            return
        }
    }
}
