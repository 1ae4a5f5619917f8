// SPDX-License-Identifier: Apache-2.0
import Commands
import HTTP
import JSON
import Testing
import Time
import Venue

@testable import Control

/// Requests with keys, of several callers (G-47).
struct OnceDispatcherTests {
    /// Answers each request with how many it had.
    private final class Counter: CommandHandler {
        let catalogue = Catalogue([
            CommandDescription("status", "Show"), CommandDescription("volume", "Set", role: .operator),
            CommandDescription("token-create", "Make", role: .administrator, answersSecret: true),
            CommandDescription("push", "Order", admission: .everybody),
        ])
        let eventLog = EventLog()
        var count: Int64 = 0
        /// Whether answers wait for `answerAll`.
        var isSlow = false
        private var owed: [() -> Void] = []

        func handle(_ request: CommandRequest, answer: @escaping (Result<JSONValue, Status>) -> Void) {
            count += 1
            let number = count
            owed.append { answer(.success(["count": .integer(number)])) }
            if !isSlow { answerAll() }
        }
        func answerAll() {
            let all = owed
            owed = []
            for answer in all { answer() }
        }
        func follow(dataChannel: String) -> Result<MessageFeed, Status> { .success(MessageFeed(of: dataChannel)) }
        func leave(_ feed: MessageFeed) {}
    }

    private let handler = Counter()
    private let once = OnceDispatcher(now: { Monotonic(nanoseconds: 1) })

    private static func caller(
        _ name: String?, _ role: Role? = .administrator, from address: String = "192.0.2.7"
    ) -> Caller {
        Caller(.http, role: role, name: name, address: address)
    }

    /// - Parameter heard: is given the count of each answer; nil for a failure.
    private func give(
        _ command: String, by caller: Caller, key: String = "k", _ heard: @escaping (Int64?) -> Void
    ) throws {
        var request = try CommandRequest(command: command, in: handler.catalogue)
        request.caller = caller
        once.dispatch(request, once: IdempotencyKey(key), by: Dispatcher(handler: handler)) { outcome in
            heard(try? outcome.get()["count"]?.integer)
        }
    }

    private func count(_ command: String, by caller: Caller, key: String = "k") throws -> Int64? {
        var answered: Int64?
        try give(command, by: caller, key: key) { answered = $0 }
        return answered
    }

    /// The same key of two callers is two keys, and none of them gets an answer that was the other's.
    @Test func answersAreRememberedForEachCaller() throws {
        let (anna, bert) = (Self.caller("anna"), Self.caller("bert"))
        #expect(try count("volume", by: anna) == 1)
        #expect(try count("volume", by: bert) == 2)
        #expect(try count("volume", by: anna) == 1 && count("volume", by: bert) == 2)
        // A token is its holder's wherever it is shown; who shows nothing is known by its address alone.
        #expect(try count("volume", by: Self.caller("anna", from: "192.0.2.99")) == 1)
        let here = Self.caller(nil, .operator, from: "127.0.0.1")
        #expect(try count("volume", by: here) == 3)
        #expect(try count("volume", by: Self.caller(nil, .operator, from: "::1")) == 4)
        #expect(try count("volume", by: here) == 3)
        // A token of the same name that is another's role is another's.
        #expect(try count("volume", by: Self.caller("anna", .operator)) == 5)
        let local = Caller(.localSocket, role: .administrator, name: "anna")
        #expect(try count("volume", by: local) == 6)
    }

    @Test func oneCallersWaitIsNotTheOthers() throws {
        handler.isSlow = true
        var heard: [String] = []
        for name in ["anna", "bert", "anna"] {
            try give("volume", by: Self.caller(name)) { heard.append("\(name) \($0 ?? -1)") }
        }
        #expect(handler.count == 2)
        handler.answerAll()
        #expect(heard == ["anna 1", "anna 1", "bert 2"])
    }

    /// It acts once, and the answer is told once: neither who waits nor who comes later gets it.
    @Test func aSecretIsToldOnce() throws {
        let anna = Self.caller("anna")
        handler.isSlow = true
        var heard: [Int64?] = []
        for _ in 0..<2 { try give("token-create", by: anna) { heard.append($0) } }
        handler.answerAll()
        #expect(heard == [1, nil])
        handler.isSlow = false
        #expect(try count("token-create", by: anna) == nil && handler.count == 1)
        #expect(try count("token-create", by: anna, key: "another") == 2)

        var memory = AnswerMemory()
        let subject = AnswerMemory.Subject(anna, try #require(IdempotencyKey("k")))
        let digest = RequestDigest(try CommandRequest(command: "token-create", in: handler.catalogue))
        func decide() -> AnswerMemory.Decision {
            memory.decide(subject, digest, at: Monotonic(nanoseconds: 0)) { _ in }
        }
        _ = decide()
        _ = memory.ended(subject, .success(["token": "tl-secret"]), isSecret: true)
        guard case .answer(.failure(let status)) = decide() else {
            Issue.record("it is kept")
            return
        }
        #expect(status == AnswerMemory.secret)
        // Why it was not made is no secret.
        let other = AnswerMemory.Subject(anna, try #require(IdempotencyKey("other")))
        _ = memory.decide(other, digest, at: Monotonic(nanoseconds: 0)) { _ in }
        let failure = Status.failure(.failed, "there is a token of this name")
        #expect(memory.ended(other, .failure(failure), isSecret: true).outcome == .failure(failure))
    }

    /// Who may only look cannot fill the memory, and what changes nothing is not in it.
    @Test func keysThatDoNotCount() throws {
        for (command, caller) in [
            ("status", Self.caller("anna")), ("push", Self.caller(nil, nil)), ("push", Self.caller("wall", .viewer)),
        ] {
            let first = try #require(try count(command, by: caller))
            #expect(try count(command, by: caller) == first + 1, "\(command)")
        }
        #expect(try count("push", by: Self.caller("anna")) == count("push", by: Self.caller("anna")))
        let push = try #require(handler.catalogue["push"])
        let request = HTTPRequest(.post, "/v1/push", host: "127.0.0.1:8080", idempotencyKey: "\"")
        let api = HTTPAPI(role: .viewer, catalogue: handler.catalogue)
        #expect(try api.key(of: request, for: push, by: Self.caller("wall", .viewer)) == nil)
        #expect(throws: HTTPRefusal.self) { try api.key(of: request, for: push, by: Self.caller("anna")) }
    }
}
