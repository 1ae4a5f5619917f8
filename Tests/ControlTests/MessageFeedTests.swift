// SPDX-License-Identifier: Apache-2.0
import Commands
import ControlClient
import ControlMessages
import JSON
import Testing

@testable import Control

/// Messages of a data channel to those who follow it.
struct MessageFeedTests {
    private let feed = MessageFeed(of: "Scores")

    private func append(_ count: Int, octets: Int = 1) {
        for _ in 0..<count {
            feed.append(["number": .integer(Int64(feed.lastSequence + 1))], octets: octets)
        }
    }

    private func all(_ follower: inout MessageFeed.Follower) -> [ControlReply] {
        var replies: [ControlReply] = []
        while let reply = follower.next(of: feed) { replies.append(reply) }
        return replies
    }

    private func numbers(_ numbers: ClosedRange<Int64>) -> [ControlReply] {
        numbers.map { .message(["number": .integer($0)]) }
    }

    @Test func eachOnceAndInOrderFromNowOn() {
        append(3)
        var follower = MessageFeed.Follower(feed)
        #expect(all(&follower).isEmpty)
        append(3)
        #expect(all(&follower) == numbers(4...6))
        append(1)
        #expect(all(&follower) == numbers(7...7))
    }

    @Test func aSlowReaderLosesTheOldestAndIsTold() {
        var follower = MessageFeed.Follower(feed)
        append(20, octets: 65_536)
        #expect(all(&follower) == [.dropped(4)] + numbers(5...20))
        append(1)
        append(1, octets: 10 * MessageFeed.octetLimit)
        #expect(all(&follower) == [.dropped(1)] + numbers(22...22))
    }

    @Test func theSessionHasThemWithItsIdAndNoMoreThanFit() throws {
        var session = ControlSession()
        session.received(
            Array(#"{"id":4,"command":"data","arguments":{"action":"follow","channel":"Scores"}}"#.utf8) + [0x0A])
        #expect(session.nextRequest()?.arguments["action"] == "follow")
        session.follow(4, feed)
        #expect(session.isFollowing && !session.isFinished)
        append(1)
        session.pump(feed)
        session.pump(feed)
        let lines = String(decoding: session.output, as: UTF8.self).split(separator: "\n")
        #expect(
            lines == [
                #"{"id":4,"result":{"channel":"Scores"},"status":{"code":0,"errorString":"","isOk":true}}"#,
                #"{"id":4,"message":{"number":1}}"#,
            ])
        session.sent(session.output.count)
        for _ in 0..<10 { feed.append(.string(String(repeating: "x", count: 100_000)), octets: 100_000) }
        session.pump(feed)
        #expect(session.output.count < ControlSession.outputLimit + 100_100)
        var rest = 0
        while !session.output.isEmpty {
            rest += session.output.split(separator: UInt8(ascii: "\n")).count
            session.sent(session.output.count)
            session.pump(feed)
        }
        #expect(rest == 10)
    }

    @Test func isWrittenAsALine() {
        let text = AnswerText(isStyled: false)
        let message: JSONValue = [
            "arrival": "2026-11-21T01:02:03.456Z", "sequence": 7, "contentType": "text/plain", "channel": "Scores",
            "text": "2:1\n",
        ]
        #expect(text.message(message) == "2026-11-21T01:02:03.456Z 7 text/plain 2:1\u{fffd}\n")
        var octets = message
        octets["text"] = nil
        octets["octets"] = 300
        #expect(text.message(octets) == "2026-11-21T01:02:03.456Z 7 text/plain (300 octets)\n")
    }
}
