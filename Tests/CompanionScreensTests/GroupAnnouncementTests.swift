// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing

@testable import CompanionScreens

@Suite struct GroupAnnouncementTests {
    private static let text =
        #"{"group":"lobby","box":"4c0e","isAppointed":false,"leads":true,"era":"4c0e:81","#
        + #""ciiUrl":"ws://192.0.2.7:7681/cii","refused":["77aa","é"]}"#

    @Test func isReadAndWritten() throws {
        let message = try GroupAnnouncement(parsing: Array(Self.text.utf8))
        #expect(message.group == "lobby" && message.box == "4c0e")
        #expect(!message.isAppointed && message.leads)
        #expect(message.era == "4c0e:81")
        #expect(message.ciiURL.description == "ws://192.0.2.7:7681/cii")
        #expect(message.refused == ["77aa", "é"])
        #expect(String(decoding: message.octets, as: UTF8.self) == Self.text)
    }

    @Test func aBoxThatIsLockedToNothingHasNoEra() throws {
        let text = Self.text.replacing(#""4c0e:81""#, with: "null")
        let message = try GroupAnnouncement(parsing: Array(text.utf8))
        #expect(message.era == nil)
        #expect(String(decoding: message.octets, as: UTF8.self) == text)
    }

    @Test(arguments: [
        (#""lobby""#, "7", "/group"), (#""4c0e","#, #""","#, ""), ("false", "0", "/isAppointed"),
        ("true", "null", "/leads"), (#""4c0e:81""#, "[]", "/era"), ("ws://", "http://", "/ciiUrl"),
        (#""77aa""#, "5", "/refused"), (#"["77aa","é"]"#, "{}", "/refused"),
    ])
    func whatIsWrongIsNamed(part: String, by other: String, path: String) {
        let text = Array(Self.text.replacing(part, with: other, maxReplacements: 1).utf8)
        do {
            _ = try GroupAnnouncement(parsing: text)
            #expect(path == "")
        } catch {
            guard case .invalidProperty(let found, _, _) = error else {
                Issue.record("\(error)")
                return
            }
            #expect(found == path)
        }
    }

    @Test func everyTruncationIsRefused() {
        let text = Array(Self.text.utf8)
        for count in text.indices {
            #expect(throws: CompanionMessageError.self) { try GroupAnnouncement(parsing: Array(text[..<count])) }
        }
    }
}
