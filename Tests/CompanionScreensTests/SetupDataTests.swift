// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing

@testable import CompanionScreens

@Suite struct SetupDataTests {
    private static func parse(_ text: String) throws -> SetupData { try SetupData(parsing: Array(text.utf8)) }

    @Test func readsAndWrites() throws {
        let setup = SetupData(contentIDStem: ContentIDStem("dvb://233a"), timelineSelector: .pts)
        #expect(try Self.parse(Captured.setup) == setup)
        #expect(String(decoding: setup.octets, as: UTF8.self) == Captured.setup)
        #expect(try Self.parse(#"{"timelineSelector":"","contentIdStem":"","private":null}"#).contentIDStem.text == "")
    }

    /// CSS-34.
    @Test func privateDataAreOptional() throws {
        let text =
            #"{"contentIdStem":"","timelineSelector":"urn:x","private":[{"type":"urn:y","a":"z","b":{"type":1}}]}"#
        let setup = try Self.parse(text)
        #expect(setup.privateData == [PrivateData(type: "urn:y", members: ["a": "z", "b": ["type": 1]])])
        #expect(String(decoding: setup.octets, as: UTF8.self) == text)
    }

    @Test(arguments: [
        ("{}", "/contentIdStem is missing where a text of at most 2048 octets"),
        (#"{"contentIdStem":null,"timelineSelector":"x"}"#, "/contentIdStem is null where a text"),
        (#"{"contentIdStem":"x"}"#, "/timelineSelector is missing where a text of at most 1024 octets"),
        (#"{"contentIdStem":"x","timelineSelector":5}"#, "/timelineSelector is 5 where a text"),
        (#"{"contentIdStem":"x","timelineSelector":"x","private":{}}"#, "/private is {} where a list of at most 32"),
        (#"{"contentIdStem":"x","timelineSelector":"x","private":[[]]}"#, "/private/0 is [] where an object"),
        (
            #"{"contentIdStem":"x","timelineSelector":"x","private":[{"type":null}]}"#,
            "/private/0/type is null where a text"
        ),
    ])
    func refuses(text: String, reason: String) {
        let error = thrown(CompanionMessageError.self) { try Self.parse(text) }
        #expect(error?.description.hasPrefix(reason) == true, "\(String(describing: error))")
    }
}
