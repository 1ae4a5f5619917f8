// SPDX-License-Identifier: Apache-2.0
import CommandLineClient
import Commands
import JSON
import TestSupport
import Testing
import Time
import Venue

@testable import Control

/// Requests that come again because their answer was lost.
struct AnswerMemoryTests {
    private let start = Monotonic(nanoseconds: 1_000)

    private func subject(_ key: String, of caller: String = "a") throws -> AnswerMemory.Subject {
        AnswerMemory.Subject(Caller(.http, role: .operator, name: caller), try #require(IdempotencyKey(key)))
    }

    private func volume(_ volume: Int64) throws -> RequestDigest {
        RequestDigest(
            try CommandRequest(
                command: "volume", arguments: ["volume": .integer(volume)], in: CommandLineClient.catalogue))
    }

    private func name(_ decision: AnswerMemory.Decision) -> String {
        switch decision {
        case .act: "act"
        case .answer(.success(let value)): "answer \(value.text())"
        case .answer(.failure(let status)): "failure \(status.code)"
        case .wait: "wait"
        case .mismatch: "mismatch"
        case .full: "full"
        }
    }

    @Test func theSameRequestActsOnce() throws {
        var memory = AnswerMemory()
        var heard: [JSONValue] = []
        let note: AnswerMemory.Answer = { if case .success(let value) = $0 { heard.append(value) } }
        #expect(name(memory.decide(try subject("k"), try volume(1), at: start, note)) == "act")
        #expect(name(memory.decide(try subject("k"), try volume(1), at: start, note)) == "wait")
        #expect(name(memory.decide(try subject("k"), try volume(2), at: start, note)) == "mismatch")
        #expect(name(memory.decide(try subject("k", of: "b"), try volume(2), at: start, note)) == "act")
        let others = memory.ended(try subject("k"), .success(["volume": 1]), isSecret: false)
        for answer in others.waiting { answer(others.outcome) }
        #expect(heard == [["volume": 1]])
        #expect(name(memory.decide(try subject("k"), try volume(1), at: start, note)) == #"answer {"volume":1}"#)
        #expect(name(memory.decide(try subject("k"), try volume(2), at: start, note)) == "mismatch")
    }

    /// A refusal is an answer, too; only a box that was busy has done nothing and may do it yet.
    @Test func busyIsNoAnswer() throws {
        var memory = AnswerMemory()
        for (code, after) in [(Status.Code.failed, "failure failed"), (.busy, "act")] {
            let subject = try subject("\(code)")
            _ = memory.decide(subject, try volume(1), at: start) { _ in }
            _ = memory.ended(subject, .failure(.failure(code, "no")), isSecret: false)
            #expect(name(memory.decide(subject, try volume(1), at: start) { _ in }) == after)
        }
    }

    @Test func itForgetsTheOldestFirst() throws {
        var memory = AnswerMemory()
        for number in 0...AnswerMemory.entryLimit {
            let subject = try subject("\(number)")
            #expect(name(memory.decide(subject, try volume(1), at: start) { _ in }) == "act")
            _ = memory.ended(subject, .success(.integer(Int64(number))), isSecret: false)
        }
        #expect(memory.count == AnswerMemory.entryLimit)
        #expect(name(memory.decide(try subject("1"), try volume(1), at: start) { _ in }) == "answer 1")
        #expect(name(memory.decide(try subject("0"), try volume(1), at: start) { _ in }) == "act")
        let later = start + AnswerMemory.age + .seconds(1)
        #expect(name(memory.decide(try subject("7"), try volume(1), at: later) { _ in }) == "act")
        #expect(memory.count == 2, "what is being carried out stays, however old it is")
    }

    /// What is being carried out is never forgotten, or it would act twice.
    @Test func itIsFullOfWhatIsBeingCarriedOut() throws {
        var memory = AnswerMemory()
        for number in 0..<AnswerMemory.entryLimit {
            _ = memory.decide(try subject("\(number)"), try volume(1), at: start) { _ in }
        }
        #expect(name(memory.decide(try subject("more"), try volume(1), at: start) { _ in }) == "full")
        for _ in 0..<AnswerMemory.waitingLimit {
            #expect(name(memory.decide(try subject("0"), try volume(1), at: start) { _ in }) == "wait")
        }
        #expect(name(memory.decide(try subject("0"), try volume(1), at: start) { _ in }) == "full")
    }

    @Test func octetsAreBounded() throws {
        var memory = AnswerMemory()
        let long = JSONValue.string(String(repeating: "x", count: AnswerMemory.answerLimit - 2))
        for number in 0..<20 {
            let subject = try subject("\(number)")
            _ = memory.decide(subject, try volume(1), at: start) { _ in }
            _ = memory.ended(subject, .success(long), isSecret: false)
        }
        #expect(memory.count == AnswerMemory.octetLimit / AnswerMemory.answerLimit)
        let tooLong = try subject("tooLong")
        _ = memory.decide(tooLong, try volume(1), at: start) { _ in }
        _ = memory.ended(tooLong, .success([long, long]), isSecret: false)
        #expect(
            name(memory.decide(tooLong, try volume(1), at: start) { _ in }) == "failure failed", "it does not act again"
        )
    }

    // MARK: Keys

    @Test(arguments: [
        ("\"8e03978e-40d5\"", "8e03978e-40d5"), ("8e03978e-40d5", "8e03978e-40d5"), (#""a\"b\\c""#, #"a"b\c"#),
        ("\"\"", nil), ("", nil), ("\"a", nil), ("a\"", nil), ("\"a\";b=1", nil), ("a;b", nil), ("\"a b\"", nil),
        ("\"a\" \"b\"", nil), (#""\x""#, nil), (#""a\"#, nil), ("\"\u{e9}\"", nil),
        ("\"" + String(repeating: "a", count: 129) + "\"", nil),
    ]) func keys(field: String, key: String?) { #expect(IdempotencyKey(field: field)?.text == key) }

    @Test(arguments: 1...300 as ClosedRange<UInt64>) func noFieldTraps(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        let octets = (0..<Int.random(in: 0...40, using: &random)).map { _ in
            Array("\"\\ab;= \u{7f}".utf8).randomElement(using: &random) ?? 0
        }
        let key = IdempotencyKey(field: String(decoding: octets, as: UTF8.self))
        #expect(key.map { (1...128).contains($0.text.utf8.count) } ?? true)
    }
}
