// SPDX-License-Identifier: Apache-2.0
import Commands
import Credentials
import Database
import Enrolling
import Foundation
import HTTP
import JSON
import Journal
import Reports
import SignedEnvelopes
import Signing
import Testing
import Time
import Venue

@testable import Reporter

/// Callers and what is kept of them, as the loop has it.
@Suite final class ReporterEnrolmentTests {
    private static let boxToken = "box-token-0123456789abcdef"
    private static let operatorToken = "operator-token-0123456789"
    private let path = FileManager.default.temporaryDirectory.appending(path: "touchline-enrolment-\(UUID()).db").path
    private let api = ReporterAPI(boxToken: boxToken, operatorToken: operatorToken)
    private var configuration: ReporterConfiguration {
        var configuration = ReporterConfiguration()
        configuration.database = path
        return configuration
    }

    deinit {
        for end in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: path + end) }  // hurts nobody
    }

    private func desk() throws -> EnrolmentDesk {
        _ = try ReporterStore(path)
        return try EnrolmentDesk(path, log: Journal().log(for: "reporter"))
    }

    private static func request(
        _ method: HTTPMethod, _ path: String, _ token: String?, body: [UInt8] = [], query: [String] = []
    ) -> HTTPRequest {
        var request = HTTPRequest(method, path, query: query.map { Array($0.utf8) }, body: .octets(body))
        request.authorization = token.map { "Bearer \($0)" }
        return request
    }

    /// The code with which a request is refused; 200 if it is not.
    private func code(_ desk: EnrolmentDesk, _ request: HTTPRequest) -> Int {
        do throws(ReporterRefusal) {
            let caller = try desk.caller(of: request, by: api)
            _ = try api.wish(request, by: caller, at: WallTime(nanoseconds: 1_800_000_000_000_000_000))
            return 200
        } catch {
            return error.code
        }
    }

    private static func envelope(_ desk: EnrolmentDesk, _ box: String, _ key: UInt8, token: String? = nil) throws
        -> [UInt8]
    {
        let key = try SigningKey(seed: [UInt8](repeating: key, count: 32))
        var request = EnrolmentRequest()
        (request.box, request.nonce, request.token) = (box, try desk.nonce(), token)
        request.publicKey = key.verifyingKey.base64
        let plain = SignedEnvelope(payloadType: EnrolmentRequest.payloadType, payload: request.octets)
        return SignedEnvelope(
            payloadType: plain.payloadType, payload: plain.payload,
            signatures: [.init(keyID: "box", octets: key.signature(of: plain.signedOctets))]
        ).json.octets()
    }

    private func enrol(_ desk: EnrolmentDesk, _ box: String, _ key: UInt8, token: String? = nil) throws
        -> Enrolments.Outcome
    {
        let asked = try desk.proven(try Self.envelope(desk, box, key, token: token))
        let chance = (0..<SecretText.tokenOctets).map { _ in UInt8.random(in: 0...255) }
        return try desk.commit { (all) throws(ReporterRefusal) in
            all.enrol(asked, chance: chance, at: WallTime(nanoseconds: 1_800_000_000_000_000_000))
        }
    }

    private func approve(_ desk: EnrolmentDesk, _ box: String) throws {
        let id = try #require(desk.enrolments.pending.values.first { $0.box == box }?.id)
        try desk.commit { (all) throws(ReporterRefusal) in
            do throws(Enrolments.Refusal) {
                _ = try all.approve(
                    id, name: "Gate", tags: nil, by: "anna", at: WallTime(nanoseconds: 1_800_000_000_000_000_000))
            } catch {
                throw ReporterRefusal(409, "\(error)")
            }
        }
    }

    private func issue(_ desk: EnrolmentDesk, _ box: String, _ key: UInt8) throws -> String {
        guard case .issued(let text) = try enrol(desk, box, key) else { throw Unexpected() }
        return text
    }

    private struct Unexpected: Error {}

    /// Each is seen again by the next reporter: what was answered is on the disk.
    @Test func whatWasAnsweredOutlivesTheReporter() throws {
        guard case .pending = try enrol(try desk(), "b-1", 1) else { return #expect(Bool(false)) }
        try approve(try desk(), "b-1")
        #expect(try desk().enrolments.boxes["b-1"]?.state == .approved)
        let old = try issue(try desk(), "b-1", 1)
        #expect(try code(desk(), Self.request(.post, "/v1/boxes/b-1/reports", old)) == 200)
        let new = try issue(try desk(), "b-1", 1)
        for _ in 0..<2 { #expect(try code(desk(), Self.request(.post, "/v1/boxes/b-1/reports", new)) == 200) }
        #expect(try code(desk(), Self.request(.post, "/v1/boxes/b-1/reports", old)) == 401)
        guard case .pending = try enrol(try desk(), "b-1", 2) else { return #expect(Bool(false)) }
        #expect(try desk().enrolments.clones["b-1"]?.sightings.first?.kind == .key)
        let one = try desk()
        try one.commit { (all) throws(ReporterRefusal) in
            do throws(Enrolments.Refusal) {
                _ = try all.revoke("b-1", why: "stolen", by: "anna", at: WallTime(nanoseconds: 1))
            } catch {
                throw ReporterRefusal(409, "\(error)")
            }
        }
        #expect(try code(desk(), Self.request(.post, "/v1/boxes/b-1/reports", new)) == 403)
        // The digests alone are in the file.
        for end in ["", "-wal"] {
            let file = FileManager.default.contents(atPath: path + end) ?? Data()
            #expect(file.range(of: Data(new.utf8)) == nil && file.range(of: Data(old.utf8)) == nil)
        }
    }

    @Test func aCredentialIsForItsBoxAlone() throws {
        let desk = try desk()
        for (box, key) in [("b-1", 1), ("b-2", 2)] as [(String, UInt8)] {
            _ = try enrol(desk, box, key)
            try approve(desk, box)
        }
        let (one, other) = (try issue(desk, "b-1", 1), try issue(desk, "b-2", 2))
        for (method, suffix) in [(HTTPMethod.post, "reports"), (.get, "order")] {
            #expect(code(desk, Self.request(method, "/v1/boxes/b-1/\(suffix)", one)) == 200)
            #expect(code(desk, Self.request(method, "/v1/boxes/b-1/\(suffix)", other)) == 403)
            #expect(code(desk, Self.request(method, "/v1/boxes/b-1/\(suffix)", Self.boxToken)) == 200)
            #expect(code(desk, Self.request(method, "/v1/boxes/b-1/\(suffix)", nil)) == 401)
        }
        #expect(code(desk, Self.request(.get, "/v1/boxes", one)) == 403)
        #expect(desk.counters.foreignBoxes == 3)
    }

    @Test func aNonceCountsOnce() throws {
        let desk = try desk()
        let octets = try Self.envelope(desk, "b-1", 1)
        _ = try desk.proven(octets)
        do throws(ReporterRefusal) {
            _ = try desk.proven(octets)
            Issue.record("taken twice")
        } catch {
            #expect(error.code == 409 && error.why.contains("nonce"))
        }
        do throws(ReporterRefusal) {
            _ = try desk.proven(Array("<html>".utf8))
            Issue.record("taken")
        } catch {
            #expect(error.code == 422)
        }
    }

    /// Each way in with each role.
    @Test func rolesAreAsTheDocumentSays() throws {
        let desk = try desk()
        var tokens: [Role: String] = [:]
        tokens[.administrator] = try perform(.begin("anna"))
        tokens[.operator] = try perform(.add("otto", .operator, days: nil))
        tokens[.viewer] = try perform(.add("vera", .viewer, days: 7))
        desk.tick()
        for route in ReporterRoute.allCases {
            guard let needed = route.access.role else { continue }
            let path = route.path.replacing("{box}", with: "b").replacing("{rollout}", with: "1")
                .replacing("{enrolment}", with: "e").replacing("{token}", with: "t")
            #expect(code(desk, Self.request(route.method, path, nil)) == 401, "\(route)")
            #expect(code(desk, Self.request(route.method, path, Self.boxToken)) == 401, "\(route)")
            for (role, token) in tokens {
                let found = code(desk, Self.request(route.method, path, token))
                #expect((found == 403) == (role < needed) && found != 401, "\(route) \(role): \(found)")
            }
        }
        _ = try perform(.remove("vera"))
        desk.tick()
        #expect(code(desk, Self.request(.get, "/v1/boxes", tokens[.viewer])) == 401)
        #expect(code(desk, Self.request(.get, "/v1/boxes", tokens[.operator])) == 200)
    }

    private func perform(_ action: ReporterUsers.Action) throws -> String {
        try ReporterUsers.perform(action, configuration).trimmingCharacters(in: .whitespacesAndNewlines)
    }

    @Test func theFirstAdministratorIsMadeOnce() throws {
        let token = try perform(.begin("anna"))
        #expect(token.hasPrefix("tl-"))
        for action in [ReporterUsers.Action.begin("bob"), .add("anna", .viewer, days: nil), .remove("bob")] {
            #expect(throws: Status.self, "\(action)") { try self.perform(action) }
        }
        #expect(try perform(.list).hasPrefix("anna\tadministrator\tsince "))
        _ = try perform(.remove("anna"))
        #expect(try perform(.list).isEmpty)
        _ = try perform(.begin("bob"))
    }

    @Test func guessesAreSlowedDownAndNobodyElseIs() throws {
        let desk = try desk()
        let anna = try perform(.begin("anna"))
        desk.tick()
        var codes: [Int] = []
        for number in 0..<40 { codes.append(code(desk, Self.request(.get, "/v1/boxes", "tl-guess-\(number)"))) }
        #expect(codes.first == 401 && codes.last == 429 && codes.count { $0 == 401 } == 20, "\(codes)")
        #expect(code(desk, Self.request(.get, "/v1/boxes", anna)) == 200)
        #expect(code(desk, Self.request(.get, "/v1/boxes", Self.operatorToken)) == 200)
        #expect(desk.counters.unknownTokens == 40 && desk.counters.throttled == 20)
    }

    @Test func readsWhatPeopleDecide() throws {
        func wish(_ method: HTTPMethod, _ path: String, _ body: String, query: [String] = []) throws -> EnrolmentWish? {
            let request = Self.request(method, path, Self.operatorToken, body: Array(body.utf8), query: query)
            guard case .enrolling(let wish) = try api.wish(request, at: WallTime(nanoseconds: 0)) else { return nil }
            return wish
        }
        guard case .decide("e", let decision) = try wish(.post, "/v1/enrolments/e", #"{"approve":true,"tags":["a"]}"#)
        else { return #expect(Bool(false)) }
        #expect(decision.approve && decision.tags == ["a"] && decision.name == nil)
        guard case .makeToken(let terms) = try wish(.post, "/v1/enrolment-tokens", #"{"name":"n","uses":7}"#) else {
            return #expect(Bool(false))
        }
        #expect(terms.uses == 7 && terms.lastsS == 86_400)
        #expect(
            try wish(.delete, "/v1/boxes/b/credential", "", query: ["why=stolen"]) == .revoke(box: "b", why: "stolen"))
        for (path, body, code) in [
            ("/v1/enrolments/e", "{}", 422), ("/v1/enrolments/e", "{", 400),
            ("/v1/enrolment-tokens", #"{"name":""}"#, 422), ("/v1/enrolment-tokens", #"{"name":"n","uses":0}"#, 422),
            ("/v1/enrolment-tokens", #"{"name":"n","lastsS":1}"#, 422), ("/v1/replacements", #"{"old":"a"}"#, 422),
            ("/v1/replacements", #"{"old":"a","new":"b","x":1}"#, 422),
        ] {
            do throws(ReporterRefusal) {
                let request = Self.request(.post, path, Self.operatorToken, body: Array(body.utf8))
                _ = try api.wish(request, at: WallTime(nanoseconds: 0))
                Issue.record("taken: \(path) \(body)")
            } catch {
                #expect(error.code == code, "\(path) \(body): \(error)")
            }
        }
    }

    @Test func readsItsCommandLine() {
        let options = ReporterOptions(configuration: "r.json")
        #expect(
            ReporterOptions.parse(["init", "--config", "r.json"]) == .users(options, .begin("administrator")))
        #expect(ReporterOptions.parse(["--config", "r.json", "init", "anna"]) == .users(options, .begin("anna")))
        #expect(
            ReporterOptions.parse(["--config", "r.json", "user", "add", "vera", "--role", "viewer", "--days", "7"])
                == .users(options, .add("vera", .viewer, days: 7)))
        #expect(ReporterOptions.parse(["--config", "r.json", "user", "list"]) == .users(options, .list))
        #expect(
            ReporterOptions.parse(["--config", "r.json", "user", "remove", "vera"]) == .users(options, .remove("vera")))
        #expect(ReporterOptions.parse(["--config", "r.json", "--check"]) == .check(options))
        for words in [
            ["user", "add", "vera"], ["user", "add", "vera", "--role", "king"], ["user"], ["user", "list", "x"],
            ["init", "a", "b"], ["init", "--check"], ["--days", "7"], ["user", "list", "--role", "viewer"], ["start"],
            ["user", "add", "v", "--role", "viewer", "--days", "0"], ["user", "add", "", "--role", "viewer"],
        ] {
            guard case .refuse = ReporterOptions.parse(["--config", "r.json"] + words) else {
                Issue.record("taken: \(words)")
                continue
            }
        }
    }
}
