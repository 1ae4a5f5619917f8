// SPDX-License-Identifier: Apache-2.0
import HTTP
import JSON
import Provisioning
import TestSupport
import Testing
import Time

@testable import Reporter
@testable import SignedEnvelopes

@Suite struct ReporterAPITests {
    private static let boxToken = "box-token-0123456789abcdef"
    private static let operatorToken = "operator-token-0123456789"
    private static let now = WallTime(nanoseconds: 1_800_000_000_000_000_000)
    private let api = ReporterAPI(boxToken: boxToken, operatorToken: operatorToken)

    private static func request(
        _ method: HTTPMethod, _ path: String, token: String? = operatorToken, query: [String] = [], body: String = ""
    ) -> HTTPRequest {
        var request = HTTPRequest(method, path, query: query.map { Array($0.utf8) }, body: .octets(Array(body.utf8)))
        request.authorization = token.map { "Bearer \($0)" }
        return request
    }

    static let envelope = SignedEnvelope(
        payloadType: SignedOrder.payloadType,
        payload: Array(
            """
            {"order":1,"target":{"all":true},"revision":7,"expires":"2026-12-01T00:00:00Z","settings":{"merge":{}}}
            """.utf8), signatures: [.init(keyID: "a", octets: [UInt8](repeating: 1, count: 64))]
    ).json

    private func refusal(_ request: HTTPRequest) -> ReporterRefusal? {
        do throws(ReporterRefusal) {
            _ = try api.wish(request, at: Self.now)
            return nil
        } catch {
            return error
        }
    }

    @Test func readsWhatBoxesAsk() throws {
        var request = Self.request(.get, "/v1/boxes/b-1/order", token: Self.boxToken, query: ["wait=300"])
        request.ifNoneMatch = "\"x\""
        #expect(try api.wish(request, at: Self.now) == .order(box: "b-1", tag: "\"x\"", wait: 25))
        let report = Self.request(
            .put, "/v1/boxes/b-1/report", token: Self.boxToken,
            body: #"{"box":"b-1","order":7,"judged":{"tag":"\"x\"","reason":"expired","why":"late"}}"#)
        guard case .report(let read) = try api.wish(report, at: Self.now) else { return #expect(Bool(false)) }
        #expect(read.order == 7 && read.judged?.reason == "expired" && read.isConfirmed)
    }

    @Test func readsARollout() throws {
        let body: JSONValue = ["envelope": Self.envelope, "waves": [1, "10%"], "mostFailures": 2, "patienceS": 60]
        guard
            case .begin(let order, let envelope, let terms) = try api.wish(
                Self.request(.post, "/v1/rollouts", body: body.text()), at: Self.now)
        else { return #expect(Bool(false)) }
        #expect(order.revision == 7 && envelope == Self.envelope.text())
        #expect(terms.waves == [.boxes(1), .percent(10)] && terms.mostFailures == 2 && terms.patience == .seconds(60))
    }

    /// Each way in with each token: what is not allowed is refused.
    @Test func knowsWhoMayWhat() {
        let ways: [(HTTPMethod, String, token: String)] = [
            (.get, "/v1/boxes/b-1/order", Self.boxToken), (.put, "/v1/boxes/b-1/report", Self.boxToken),
            (.get, "/v1/boxes", Self.operatorToken), (.get, "/v1/boxes/b-1", Self.operatorToken),
            (.get, "/v1/rollouts", Self.operatorToken), (.get, "/v1/rollouts/1", Self.operatorToken),
            (.post, "/v1/rollouts", Self.operatorToken), (.delete, "/v1/rollouts", Self.operatorToken),
        ]
        for (method, path, token) in ways {
            for given in [
                Self.boxToken, Self.operatorToken, nil, "", "x", Self.boxToken + "x", String(Self.boxToken.dropLast()),
            ] {
                let code = refusal(Self.request(method, path, token: given))?.code
                #expect((code == 401) == (given != token), "\(method) \(path) \(given ?? "-")")
            }
        }
    }

    @Test func namesWhatIsWrong() {
        let rows: [(HTTPRequest, Int, String)] = [
            (Self.request(.get, "/"), 404, "below /v1"), (Self.request(.get, "/v1/x"), 404, "/v1/boxes,"),
            (Self.request(.put, "/v1/rollouts"), 405, "GET, POST or DELETE"),
            (Self.request(.post, "/v1/boxes"), 405, "GET"),
            (Self.request(.post, "/v1/rollouts", body: "{"), 400, "line 1"),
            (Self.request(.post, "/v1/rollouts", body: "{}"), 422, "/envelope"),
            (Self.request(.post, "/v1/rollouts", body: #"{"waive":1}"#), 422, "/waive"),
            (
                Self.request(
                    .post, "/v1/rollouts", body: (["envelope": Self.envelope, "waves": ["0%"]] as JSONValue).text()),
                422, "/waves is [\"0%\"]"
            ),
            (
                Self.request(
                    .post, "/v1/rollouts", body: (["envelope": Self.envelope, "mostFailures": -1] as JSONValue).text()),
                422,
                "/mostFailures is -1"
            ),
            (
                Self.request(
                    .post, "/v1/rollouts", body: (["envelope": Self.envelope, "patienceS": 0.5] as JSONValue).text()),
                422,
                "/patienceS is 0.5"
            ),
            (Self.request(.get, "/v1/boxes/b/order", token: Self.boxToken, query: ["wait=x"]), 400, "wait=0…3600"),
            (Self.request(.post, "/v1/boxes/b/order", token: Self.boxToken), 405, "GET"),
            (
                Self.request(.put, "/v1/boxes/b/report", token: Self.boxToken, body: #"{"box":"c"}"#), 422,
                "/box is \"c\""
            ),
            (Self.request(.put, "/v1/boxes/b/report", token: Self.boxToken, body: #"{"box":"b","x":1}"#), 422, "/x"),
            (Self.request(.put, "/v1/boxes/b/report", token: Self.boxToken, body: "<html>"), 400, "line 1"),
        ]
        for (request, code, part) in rows {
            let found = refusal(request)
            #expect(
                found?.code == code && found?.why.contains(part) == true,
                "\(request.path): \(found.map { "\($0)" } ?? "-")")
        }
    }

    @Test func mutatedDocumentsDoNotTrap() {
        let report = #"{"box":"b","name":"n","tags":["x"],"order":7,"judged":{"tag":"t","reason":"r","why":"w"}}"#
        let rollout = (["envelope": Self.envelope, "waves": [1, "10%"], "mostFailures": 2] as JSONValue).text()
        var random = SplitMix64(seed: 77)
        for (method, path, token, text) in [
            (HTTPMethod.put, "/v1/boxes/b/report", Self.boxToken, report),
            (.post, "/v1/rollouts", Self.operatorToken, rollout),
        ] {
            let octets = Array(text.utf8)
            for count in 0...octets.count {
                var request = Self.request(method, path, token: token)
                request.body = .octets(Array(octets.prefix(count)))
                _ = refusal(request)
            }
            for _ in 0..<5_000 {
                var changed = octets
                for _ in 0..<Int.random(in: 1...4, using: &random) {
                    changed[Int.random(in: changed.indices, using: &random)] = .random(in: 0...255, using: &random)
                }
                var request = Self.request(method, path, token: token)
                request.body = .octets(changed)
                _ = refusal(request)
            }
        }
    }
}
