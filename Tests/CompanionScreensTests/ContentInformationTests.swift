// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing

@testable import CompanionScreens

@Suite struct ContentInformationTests {
    private func text(_ message: CIIMessage?) -> String? { message.map { String(decoding: $0.octets, as: UTF8.self) } }

    private func known() throws -> ContentInformation {
        try ContentInformation(first: CIIMessageTests.parse(Captured.firstCII))
    }

    /// CSS-33: of a later message what is there replaces, null included, and the changes are told.
    @Test func mergesDeltas() throws {
        var known = try known()
        let before = known
        #expect(known.merge(try CIIMessageTests.parse(Captured.status)) == [.presentationStatus])
        #expect(known.presentationStatus == PresentationStatus(.transitioning))
        #expect(known.merge(try CIIMessageTests.parse(Captured.content)) == [.contentId])
        #expect(known.timelines == before.timelines && known.contentIDStatus == .final)
        #expect(known.merge(try CIIMessageTests.parse(#"{"tsUrl":null,"teUrl":null}"#)) == [.tsUrl])
        #expect(known.tsURL == nil && known.wcURL == before.wcURL)
        #expect(known.merge(CIIMessage()).isEmpty)
        #expect(known.merge(try CIIMessageTests.parse(Captured.firstCII)) == [.contentId, .presentationStatus, .tsUrl])
        #expect(known == before)
    }

    /// A delta without timelines must not empty their list, and one with an empty list must.
    @Test func timelinesStayUntilTheyAreReplaced() throws {
        var known = try known()
        known.merge(try CIIMessageTests.parse(Captured.content))
        #expect(known.timelines?.count == 2)
        #expect(known.merge(try CIIMessageTests.parse(#"{"timelines":[]}"#)) == [.timelines])
        #expect(known.timelines == [])
        #expect(known.merge(try CIIMessageTests.parse(#"{"timelines":null}"#)) == [.timelines])
        #expect(known.timelines == nil)
    }

    /// CSS-26: the first message tells the version.
    @Test(arguments: [
        (Captured.status, "/protocolVersion is missing where \"1.1\" in the first message is expected"),
        (#"{"protocolVersion":null}"#, "/protocolVersion is null where \"1.1\" in the first message is expected"),
    ])
    func theFirstMessageHasAVersion(text: String, reason: String) {
        let error = thrown(CompanionMessageError.self) {
            try ContentInformation(first: CIIMessageTests.parse(text))
        }
        #expect(error?.description == reason)
    }

    @Test func writesTheFirstMessageAndDeltas() throws {
        let before = try known()
        #expect(text(before.firstMessage) == Captured.firstCII)
        #expect(text(ContentInformation().firstMessage) == #"{"protocolVersion":"1.1"}"#)
        #expect(before.delta(since: before) == nil)
        var after = before
        after.presentationStatus = PresentationStatus(.transitioning)
        #expect(text(after.delta(since: before)) == Captured.status)
        after = before
        after.contentID = "dvb://233a.1004.1044;364f~20130218T1000Z--PT00H30M"
        #expect(text(after.delta(since: before)) == Captured.content)
        after = before
        after.contentIDStatus = .partial
        #expect(text(after.delta(since: before)) == #"{"contentIdStatus":"partial"}"#)
        after = before
        after.contentID = nil
        after.contentIDStatus = nil
        after.tsURL = nil
        #expect(text(after.delta(since: before)) == #"{"contentId":null,"contentIdStatus":null,"tsUrl":null}"#)
    }

    /// Whatever changes, a client that merges the messages knows what the server does.
    @Test(arguments: Effort.seeds(200)) func clientsKnowWhatTheServerDoes(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        var server = ContentInformation()
        server.protocolVersion = .onePointOne
        vary(&server, with: &random)
        var client = try ContentInformation(first: CIIMessage(parsing: server.firstMessage.octets))
        #expect(client == server)
        for _ in 0..<20 {
            let before = server
            vary(&server, with: &random)
            let delta = server.delta(since: before)
            #expect((delta == nil) == (server == before))
            guard let delta else { continue }
            #expect(client.merge(try CIIMessage(parsing: delta.octets)) == server.changes(since: before))
            #expect(client == server)
        }
    }

    private func vary(_ information: inout ContentInformation, with random: inout SplitMix64) {
        switch Int.random(in: 0..<9, using: &random) {
        case 0: information.contentID = random.one(of: [nil, "dvb://1.2.3", "dvb://1.2.4", "é\"\\\u{2028}"])
        case 1: information.contentIDStatus = random.one(of: [nil, .partial, .final])
        case 2:
            information.presentationStatus = random.one(of: [
                nil, PresentationStatus(.okay), PresentationStatus(.fault, extensions: ["a", "b"]),
            ])
        case 3: information.mrsURL = random.one(of: [nil, "http://a/"])
        case 4: information.wcURL = random.one(of: [nil, WallClockURL("udp://[fe80::1]:6677")])
        case 5: information.tsURL = random.one(of: [nil, WebSocketURL("ws://a:1/ts")])
        case 6: information.teURL = random.one(of: [nil, WebSocketURL("ws://a:1/te")])
        case 7:
            let film = TimelineOption(
                .compositionTime, TimelineProperties(unitsPerTick: 1_001, unitsPerSecond: 24_000),
                privateData: [PrivateData(type: "urn:x", members: ["type": "lost", "z": 1, "a": [.null]])])
            information.timelines = random.one(of: [nil, [], [film]])
        default: information.privateData = random.one(of: [nil, [], [PrivateData(type: "urn:x")]])
        }
    }
}
