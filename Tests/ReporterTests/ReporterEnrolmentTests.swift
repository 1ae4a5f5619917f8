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

/// Callers, as the loop sees them.
@Suite struct ReporterEnrolmentTests {
    private let place: EnrolmentPlace
    private let scene: EnrolmentScene

    init() throws {
        place = try EnrolmentPlace(.sqlite)
        scene = try EnrolmentScene(place.store)
    }

    private static func request(
        _ method: HTTPMethod, _ path: String, _ token: String?, body: [UInt8] = [], query: [String] = []
    ) -> HTTPRequest {
        EnrolmentScene.request(method, path, token, body: body, query: query)
    }

    @Test func aCredentialIsForItsBoxAlone() throws {
        for (box, key) in [("b-1", 1), ("b-2", 2)] as [(String, UInt8)] {
            _ = try scene.enrol(box, key)
            try scene.approve(box)
        }
        let (one, other) = (try scene.issue("b-1", 1), try scene.issue("b-2", 2))
        for (method, suffix) in [(HTTPMethod.post, "reports"), (.get, "order")] {
            #expect(scene.code(Self.request(method, "/v1/boxes/b-1/\(suffix)", one)) == 200)
            #expect(scene.code(Self.request(method, "/v1/boxes/b-1/\(suffix)", other)) == 403)
            #expect(scene.code(Self.request(method, "/v1/boxes/b-1/\(suffix)", EnrolmentScene.boxToken)) == 200)
            #expect(scene.code(Self.request(method, "/v1/boxes/b-1/\(suffix)", nil)) == 401)
        }
        #expect(scene.code(Self.request(.get, "/v1/boxes", one)) == 403)
        #expect(scene.known.counters.foreignBoxes == 3)
    }

    @Test func aNonceCountsOnce() throws {
        let octets = try scene.envelope("b-1", 1)
        _ = try scene.desk.proven(octets)
        do throws(ReporterRefusal) {
            _ = try scene.desk.proven(octets)
            Issue.record("taken twice")
        } catch {
            #expect(error.code == 409 && error.why.contains("nonce"))
        }
        do throws(ReporterRefusal) {
            _ = try scene.desk.proven(Array("<html>".utf8))
            Issue.record("taken")
        } catch {
            #expect(error.code == 422)
        }
    }

    /// Each way in with each role.
    @Test func rolesAreAsTheDocumentSays() throws {
        var tokens: [Role: String] = [:]
        tokens[.administrator] = try place.perform(.begin("anna"))
        tokens[.operator] = try place.perform(.add("otto", .operator, days: nil))
        tokens[.viewer] = try place.perform(.add("vera", .viewer, days: 7))
        try scene.book.follow()
        for route in ReporterRoute.allCases {
            guard let needed = route.access.role else { continue }
            let path = route.path.replacing("{box}", with: "b").replacing("{rollout}", with: "1")
                .replacing("{enrolment}", with: "e").replacing("{token}", with: "t")
            #expect(scene.code(Self.request(route.method, path, nil)) == 401, "\(route)")
            #expect(scene.code(Self.request(route.method, path, EnrolmentScene.boxToken)) == 401, "\(route)")
            for (role, token) in tokens {
                let found = scene.code(Self.request(route.method, path, token))
                #expect((found == 403) == (role < needed) && found != 401, "\(route) \(role): \(found)")
            }
        }
        _ = try place.perform(.remove("vera"))
        try scene.book.follow()
        #expect(scene.code(Self.request(.get, "/v1/boxes", tokens[.viewer])) == 401)
        #expect(scene.code(Self.request(.get, "/v1/boxes", tokens[.operator])) == 200)
    }

    @Test func guessesAreSlowedDownAndNobodyElseIs() throws {
        let anna = try place.perform(.begin("anna"))
        try scene.book.follow()
        var codes: [Int] = []
        for number in 0..<40 { codes.append(scene.code(Self.request(.get, "/v1/boxes", "tl-guess-\(number)"))) }
        #expect(codes.first == 401 && codes.last == 429 && codes.count { $0 == 401 } == 20, "\(codes)")
        #expect(scene.code(Self.request(.get, "/v1/boxes", anna)) == 200)
        #expect(scene.code(Self.request(.get, "/v1/boxes", EnrolmentScene.operatorToken)) == 200)
        #expect(scene.known.counters.unknownTokens == 40 && scene.known.counters.throttled == 20)
    }

    /// Whoever asks a thousand times costs little: signatures are not even looked at.
    @Test func aFloodOfRequestsIsPutOff() {
        var codes: [Int] = []
        for _ in 0..<200 {
            do throws(ReporterRefusal) {
                _ = try scene.desk.proven(Array("{}".utf8))
            } catch {
                codes.append(error.code)
            }
        }
        #expect(codes.first == 422 && codes.last == 429 && codes.count { $0 == 422 } < 120, "\(codes)")
        #expect(scene.known.counters.throttled > 80 && scene.known.counters.unproven < 120)
    }

    @Test func noAnswerHasASecret() throws {
        let token = try scene.token("t", uses: 2)
        let credential = try scene.issue("b-1", 1, token: token)
        let next = try scene.issue("b-1", 1)
        _ = try scene.enrol("b-1", 2, token: token)
        _ = try scene.enrol("b-2", 3, token: "tl-wrong")
        let all = scene.book.enrolments
        let answers =
            [all.patch(of: "b-1")?.text() ?? ""] + all.pending.values.map { $0.document.text() }
            + all.tokens.values.map { $0.document().text() }
        #expect(answers.count == 4 && answers[0].contains("clones"))
        let rows = try Database(place.configuration.database).query("SELECT record FROM enrolments")
        let records = try rows.compactMap { row in
            try row[0].text.flatMap { text in text.isEmpty ? nil : try JSONValue.parse(text) }
        }
        let digests = records.flatMap { record in
            ["digest", "credential", "next"].compactMap { name in record[name]?.string }
        }
        #expect(digests.count == 3)
        for secret in [token, credential, next, "tl-wrong"] + digests {
            #expect(!answers.contains { $0.contains(secret) }, "\(answers)")
        }
    }

    /// What is kept has to be readable by the next start.
    @Test func reasonsHaveNoControlCharacters() throws {
        for why in ["a\u{0}b", "a\nb", String(repeating: "x", count: 257)] {
            let request = Self.request(
                .delete, "/v1/boxes/b/credential", EnrolmentScene.operatorToken, query: ["why=\(why)"])
            #expect(scene.code(request) == 400)
        }
    }

    @Test func readsWhatPeopleDecide() throws {
        func wish(_ method: HTTPMethod, _ path: String, _ body: String, query: [String] = []) throws -> EnrolmentWish? {
            let request = Self.request(method, path, EnrolmentScene.operatorToken, body: Array(body.utf8), query: query)
            guard case .enrolling(let wish) = try scene.api.wish(request, at: WallTime(nanoseconds: 0)) else {
                return nil
            }
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
                let request = Self.request(.post, path, EnrolmentScene.operatorToken, body: Array(body.utf8))
                _ = try scene.api.wish(request, at: WallTime(nanoseconds: 0))
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
