// SPDX-License-Identifier: Apache-2.0
import Commands
import ControlMessages
import JSON
import TestSupport
import Testing
import Time
import Venue

@testable import Control

struct ControlSessionTests {
    /// What the session has to send, line by line; all of it sent.
    func drain(_ session: inout ControlSession) -> [String] {
        let text = String(decoding: session.output, as: UTF8.self)
        session.sent(session.output.count)
        return text.split(separator: "\n").map(String.init)
    }

    func log(_ count: Int, capacity: Int = 1_024) -> EventLog {
        var log = EventLog(capacity: capacity)
        for number in 0..<count { log.append(number) }
        return log
    }

    @Test func answersInOrderWhateverTheChunks() throws {
        let text =
            #"{"id":1,"command":"status"}"# + "\r\n\n" + #"{"command":"tune","arguments":{"channel":"é"},"id":2}"#
            + "\n"
        for size in 1...text.utf8.count {
            var session = ControlSession()
            var requests: [ControlRequest] = []
            let octets = Array(text.utf8)
            for start in stride(from: 0, to: octets.count, by: size) {
                session.received(octets[start..<min(start + size, octets.count)])
                while let request = session.nextRequest() { requests.append(request) }
            }
            #expect(requests.map(\.id) == [1, 2])
            #expect(requests.map(\.command) == ["status", "tune"])
            #expect(requests.last?.arguments["channel"] == "é")
            session.answer(2, .success(["channel": "é"]))
            session.answer(1, .failure(.failure(.busy, "later")))
            #expect(
                drain(&session) == [
                    #"{"id":2,"result":{"channel":"é"},"status":{"code":0,"errorString":"","isOk":true}}"#,
                    #"{"id":1,"status":{"code":75,"errorString":"later","isOk":false}}"#,
                ])
        }
    }

    @Test(arguments: [
        ("x", "null", "not JSON: line 1, column 1: 'x' where a value is expected"),
        ("[1]", "null", "the request is an array; expected an object"),
        (#"{"command":"status"}"#, "null", "id: expected an integer from 0"),
        (#"{"id":-1,"command":"status"}"#, "null", "id: expected an integer from 0"),
        (#"{"id":7}"#, "7", "command: expected a string"),
        (
            #"{"id":7,"command":"stop","args":{}}"#, "7",
            "unknown member 'args'; expected one of id, command, arguments, key, session"
        ),
        (#"{"id":7,"id":8}"#, "null", "not JSON: line 1, column 9, at /id: the key 'id' is there twice"),
    ])
    func badLinesAreAnsweredAndTheConnectionGoesOn(line: String, id: String, expected: String) throws {
        var session = ControlSession()
        session.received(Array("\(line)\n{\"id\":9,\"command\":\"stop\"}\n".utf8))
        #expect(session.nextRequest()?.id == 9)
        let answer = try JSONValue.parse(drain(&session)[0])
        #expect(answer["id"]?.text() == id)
        #expect(answer.at("/status/errorString") == .string(expected))
        #expect(answer.at("/status/code") == 2)
    }

    @Test func aLineThatIsTooLongIsToldOnceAndSkipped() {
        var session = ControlSession()
        for _ in 0..<(ControlSession.lineLimit / 1_000 + 200) {
            session.received([UInt8](repeating: 0x61, count: 1_000))
            #expect(session.nextRequest() == nil)
            #expect(session.wantsInput)
        }
        session.received(Array("\n{\"id\":9,\"command\":\"stop\"}\n".utf8))
        #expect(session.nextRequest()?.id == 9)
        let lines = drain(&session)
        #expect(lines.count == 1)
        #expect(lines[0].contains("a line is longer than \(ControlSession.lineLimit) octets"))
    }

    @Test func aCallerThatDoesNotReadIsNotRead() {
        var session = ControlSession()
        let line = Array(#"{"id":1,"command":"stats"}"#.utf8) + [0x0a]
        var answered = 0
        while session.wantsInput {
            session.received(line)
            while let request = session.nextRequest() {
                session.answer(request.id, .success(["text": .string(String(repeating: "x", count: 1_000))]))
                answered += 1
            }
            #expect(answered < 1_000)
        }
        #expect(session.output.count < ControlSession.outputLimit + 2_000)
        _ = drain(&session)
        #expect(session.wantsInput)
    }

    @Test func manyOpenRequestsWait() {
        var session = ControlSession()
        for id in 0..<20 { session.received(Array("{\"id\":\(id),\"command\":\"screenshot\"}\n".utf8)) }
        var open: [Int64] = []
        while let request = session.nextRequest() { open.append(request.id) }
        #expect(open.count == ControlSession.openRequestLimit)
        #expect(!session.wantsInput)
        session.answer(open[3], .success([:]))
        #expect(session.nextRequest()?.id == 16)
    }

    @Test func isFinishedWhenNothingIsOwed() {
        var session = ControlSession()
        session.received(Array("{\"id\":1,\"command\":\"stop\"}\n".utf8))
        session.inputEnded()
        #expect(!session.isFinished)
        #expect(session.nextRequest() != nil)
        #expect(!session.isFinished)
        session.answer(1, .success([:]))
        #expect(!session.isFinished)
        _ = drain(&session)
        #expect(session.isFinished)
    }

    // MARK: Events

    func follower(_ log: EventLog, since: UInt64?) -> ControlSession {
        var session = ControlSession()
        session.received(Array("{\"id\":4,\"command\":\"events\",\"arguments\":{\"follow\":true}}\n".utf8))
        _ = session.nextRequest()
        session.follow(4, EventPlace(since: since), of: log)
        return session
    }

    @Test func lateFollowerGetsSnapshotThenChanges() throws {
        var log = EventLog()
        log.append(.channels, "video", ["list": 1], time: .init(nanoseconds: 0), wallTime: .init(nanoseconds: 0))
        log.append(
            .video, "channelState", ["state": "open"], time: .init(nanoseconds: 0), wallTime: .init(nanoseconds: 0))
        log.append(
            .video, "channelState", ["state": "play"], time: .init(nanoseconds: 0), wallTime: .init(nanoseconds: 0))
        var session = follower(log, since: nil)
        let first = try drain(&session).map { try JSONValue.parse($0) }
        #expect(first.map { $0.at("/event/sequence")?.integer } == [nil, 1, 3])
        #expect(first[0].at("/result/next") == 4)
        log.append(.channels, "video", ["list": 2], time: .init(nanoseconds: 0), wallTime: .init(nanoseconds: 0))
        session.pump(log)
        session.pump(log)
        #expect(
            drain(&session) == [
                #"{"event":{"payload":{"list":2},"sequence":4,"time":"1970-01-01T00:00:00.000Z","type":"channels.video"},"id":4}"#
            ])
    }

    @Test func followerSinceGetsEachOnce() throws {
        var session = follower(log(10), since: 7)
        let sequences = try drain(&session).compactMap { try JSONValue.parse($0).at("/event/sequence")?.integer }
        #expect(sequences == [8, 9, 10])
        var fromAnotherRun = follower(log(10), since: 500)
        let news = try drain(&fromAnotherRun).map { try JSONValue.parse($0).at("/event/sequence")?.integer }
        #expect(news == [nil, 10], "as for one who asks for the first time")
    }

    /// Sum of what it gets and what it is told it lost is all that happened; and it holds a bounded amount.
    @Test(arguments: Effort.seeds(4))
    func slowFollowerLosesTheOldestAndIsTold(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        var log = EventLog(capacity: 64)
        var session = follower(log, since: 0)
        _ = drain(&session)
        var next: UInt64 = 1
        var lost: UInt64 = 0
        for round in 0..<100 {
            for _ in 0..<Int.random(in: 0...100, using: &random) { log.append(Int(log.lastSequence), padding: 2_000) }
            session.pump(log)
            #expect(session.output.count < ControlSession.outputLimit + 16 * 2_200)
            guard Int.random(in: 0..<8, using: &random) == 0 || round == 99 else { continue }
            repeat {
                for line in drain(&session) {
                    let value = try JSONValue.parse(line)
                    if let count = value["dropped"]?.integer {
                        lost += UInt64(count)
                        next += UInt64(count)
                    } else {
                        #expect(value.at("/event/sequence") == .integer(Int64(next)))
                        next += 1
                    }
                }
                session.pump(log)
            } while !session.output.isEmpty
        }
        #expect(next == log.lastSequence + 1)
        #expect(lost > 0)
    }

    @Test func secondFollowIsRefused() throws {
        var session = follower(log(0), since: nil)
        session.received(Array("{\"id\":5,\"command\":\"events\",\"arguments\":{\"follow\":true}}\n".utf8))
        _ = session.nextRequest()
        session.follow(5, EventPlace(since: nil), of: log(0))
        #expect(try drain(&session).compactMap { try JSONValue.parse($0).at("/status/code")?.integer } == [0, 75])
    }

    @Test func everyTruncationIsAnsweredAndTheNextLineIsRead() throws {
        let line = Array(#"{"id":1,"command":"tune","arguments":{"channel":"One"}}"#.utf8)
        for count in 1..<line.count {
            var session = ControlSession()
            session.received(line[..<count] + Array("\n{\"id\":2,\"command\":\"status\"}\n".utf8))
            let next = session.nextRequest()
            #expect(next?.id == 2 && session.nextRequest() == nil, "\(count)")
            #expect(try drain(&session).map { try JSONValue.parse($0).at("/status/code") } == [2], "\(count)")
        }
    }

    @Test func mutationNeverTraps() {
        let lines = Array(
            (#"{"id":1,"command":"tune","arguments":{"channel":"One"}}"# + "\n"
                + #"{"id":2,"command":"events","arguments":{"since":5,"follow":true}}"# + "\n").utf8)
        var mutation = Mutation(seed: 5)
        let log = log(10)
        for _ in 0..<Mutation.count() {
            var session = ControlSession()
            session.received(mutation.damage(lines))
            while let request = session.nextRequest() {
                if request.arguments["follow"] == true {
                    session.follow(request.id, EventPlace(since: 3), of: log)
                } else {
                    session.answer(request.id, .success([:]))
                }
            }
            session.pump(log)
            for line in drain(&session) { #expect(throws: Never.self) { try JSONValue.parse(line) } }
        }
    }
}

extension EventLog {
    mutating func append(_ number: Int, padding: Int = 0) {
        append(
            .service, "tick",
            ["number": .integer(Int64(number)), "text": .string(String(repeating: "x", count: padding))],
            time: Monotonic(nanoseconds: 0), wallTime: WallTime(nanoseconds: 0))
    }
}
