// SPDX-License-Identifier: Apache-2.0
import Bytes
import CommandLineClient
import Commands
import HTTP
import JSON
import TestSupport
import Testing
import Venue

@testable import Control

struct HTTPAPITests {
    private static let page = HTTPPage(Array("<!doctype html>".utf8), type: "text/html; charset=utf-8")
    private let api = HTTPAPI(
        role: .operator, catalogue: CommandLineClient.catalogue,
        document: { Array(#"{"openapi":"3.1.0"}"#.utf8) }, pages: ["/": Self.page])

    private func request(
        _ method: HTTPMethod, _ path: String, _ query: String = "", body: String? = nil,
        type: String? = "application/json", accept: String? = nil
    ) -> HTTPRequest {
        HTTPRequest(
            method, path, query: query.isEmpty ? [] : query.utf8.split(separator: UInt8(ascii: "&")).map(Array.init),
            host: "localhost:8080", accept: accept, contentType: body.flatMap { _ in type },
            body: .octets(Array((body ?? "").utf8)))
    }

    private func command(_ request: HTTPRequest) -> JSONValue? {
        if case .command(let command, _, _) = api.action(for: request) { command.json } else { nil }
    }

    private func answer(_ request: HTTPRequest) -> HTTPResponse? {
        switch api.action(for: request) {
        case .respond(let response): response
        case .make(let response): response()
        default: nil
        }
    }

    /// Code and `errorString` of a refusal.
    private func refusal(_ request: HTTPRequest) -> (code: Int, text: String) {
        guard let response = answer(request), case .octets(let octets) = response.body else { return (0, "") }
        let status = try? JSONValue.parse(octets)  // the caller sees what is not there
        return (response.code, status?["errorString"]?.string ?? "")
    }

    // MARK: Settings

    /// An empty document would reset every setting (SVM-12).
    @Test func settingsWithoutABodyAreRefused() {
        let administrator = HTTPAPI(role: .administrator, catalogue: CommandLineClient.catalogue)
        for method in [HTTPMethod.put, .patch] {
            guard case .respond(let response) = administrator.action(for: request(method, "/v1/config")) else {
                Issue.record("\(method) without a body is taken")
                continue
            }
            #expect(response.code == 400)
            guard case .command = administrator.action(for: request(method, "/v1/config", body: "{}")) else {
                Issue.record("\(method) with an empty document is refused")
                continue
            }
        }
    }

    // MARK: Metrics

    /// Whoever collects them looks there, whatever his role and the version of the rest.
    @Test func metricsAreLookedAtAlone() {
        let viewer = HTTPAPI(role: .viewer, catalogue: CommandLineClient.catalogue)
        for method in [HTTPMethod.get, .head] {
            guard case .metrics = viewer.action(for: request(method, "/metrics")) else {
                Issue.record("no metrics for \(method)")
                continue
            }
        }
        #expect(refusal(request(.post, "/metrics")).code == 405)
        let foreign = HTTPRequest(.get, "/metrics", host: "evil")
        #expect(refusal(foreign).code == 403)
        let response = HTTPAPI.metrics("# EOF\n", type: "application/openmetrics-text; version=1.0.0")
        #expect(response.fields.contains { $0.name == "Content-Type" && $0.value.hasPrefix("application/openmetrics") })
    }

    // MARK: Commands

    @Test func argumentsOfQueryAndBodyAreTheSame() {
        let query = command(request(.get, "/v1/channels", "kind=video&favourites=true&group=caf\u{e9} = 1"))
        #expect(
            query == [
                "command": "channels", "arguments": ["kind": "video", "favourites": true, "group": "caf\u{e9} = 1"],
            ])
        let body = #"{"kind":"video","favourites":true,"group":"café = 1","hidden":null}"#
        #expect(command(request(.post, "/v1/channels", body: body)) == query)
        #expect(command(request(.head, "/v1/events", "since=7")) == ["command": "events", "arguments": ["since": 7]])
        #expect(command(request(.post, "/v1/stop")) == ["command": "stop", "arguments": [:]])
        let program = #"{"program":"default"}"#
        #expect(command(request(.post, "/v1/program", body: program))?.at("/arguments/program") == "default")
    }

    @Test(arguments: [
        (HTTPMethod.get, "/v1/channels", "kind=radio", "kind is \"radio\"; expected one of video, data, file"),
        (.get, "/v1/channels", "kind=video&kind=data", "query: \"kind\" is there twice"),
        (.get, "/v1/channels", "favourites", "query: \"favourites\" has no value"),
        (.get, "/v1/channels", "favourites=yes", "favourites is \"yes\"; expected true or false"),
        (.get, "/v1/channels", "names=true", "unexpected argument 'names' of channels"),
        (.get, "/v1/events", "since=-1", "since is -1; expected an integer from 0"),
        (.get, "/v1/events", "since=1.5", "since is \"1.5\"; expected an integer from 0"),
        (.get, "/v1/events", "follow=true", "follow: expected a WebSocket at /v1/events"),
        (.get, "/v1/status", "=", "unexpected argument '' of status"),
        (.post, "/v1/stop", "a=b", "POST with a query; expected the arguments as the body"),
        (.get, "/v1/picture", "fps=26", "fps: expected an integer, 1...25"),
        (.get, "/v1/picture", "width=26", "unexpected argument \"width\""),
    ])
    func badQueries(method: HTTPMethod, path: String, query: String, expected: String) {
        let refusal = refusal(request(method, path, query))
        #expect(refusal.code == 400)
        #expect(refusal.text == expected)
    }

    @Test(arguments: [
        ("", 400, "tune: channel is missing; expected a text of 1...128 characters"),
        ("[1]", 400, "the arguments of tune: expected an object"),
        ("{", 400, "not JSON: line 1, column 2: the text ends where a key is expected"),
        (#"{"channel":1}"#, 400, "channel is 1; expected a text of 1...128 characters"),
        (#"{"channel":"a","b":1}"#, 400, "unexpected argument 'b' of tune"),
    ])
    func badBodies(body: String, code: Int, expected: String) {
        let refusal = refusal(request(.post, "/v1/tune", body: body))
        #expect(refusal.code == code)
        #expect(refusal.text.hasPrefix(expected.prefix(40)), "\(refusal.text)")
    }

    @Test func bodiesOfAnotherKind() {
        var asked = request(.post, "/v1/tune", body: #"{"channel":"a"}"#, type: "text/plain")
        #expect(refusal(asked).code == 415)
        asked.contentType = nil
        #expect(refusal(asked).code == 415)
        asked.contentType = "application/json; charset=utf-8"
        #expect(command(asked)?.at("/arguments/channel") == "a")
        asked.body = .tooLarge(limit: 65_536)
        #expect(refusal(asked) == (413, "the body has more than 65536 octets"))
        asked.body = .ofUnknownLength
        #expect(refusal(asked).code == 411)
        #expect(refusal(request(.get, "/v1/status", body: "{}")).code == 400)
    }

    @Test func methodsAndPaths() {
        #expect(answer(request(.get, "/v1/tune"))?.field("Allow") == "POST")
        #expect(answer(request(.delete, "/v1/status"))?.field("Allow") == "GET, HEAD, POST")
        #expect(answer(request(.post, "/"))?.field("Allow") == "GET, HEAD")
        #expect(answer(request(.options, "/v1/openapi.json"))?.code == 405)
        for path in [
            "/v1", "/v1/", "/v2/status", "/v1/Status", "/v1/help", "/v1/openapi", "/status", "", "/v1/status/",
        ] {
            #expect(refusal(request(.get, path)).code == 404, "\(path)")
        }
    }

    /// What a caller may do is its role's.
    @Test func rolesAreKept() {
        #expect(
            refusal(request(.post, "/v1/shutdown")) == (403, "shutdown needs the role administrator; this is operator"))
        let viewer = HTTPAPI(role: .viewer, catalogue: CommandLineClient.catalogue)
        guard case .respond(let response) = viewer.action(for: request(.post, "/v1/stop")) else {
            Issue.record("a viewer stopped the box")
            return
        }
        #expect(response.code == 403)
    }

    // MARK: Answers

    @Test(arguments: [
        (Status.Code.usage, 400), (.failed, 409), (.configuration, 422), (.unreachable, 502), (.busy, 503),
    ])
    func failuresCarryTheStatus(code: Status.Code, expected: Int) throws {
        let status = Status.failure(code, "why")
        let response = api.response(to: .failure(status), .json)
        #expect(response.code == expected)
        #expect(response.body == .octets(status.json.octets()))
        #expect(response.field("Content-Type") == "application/json")
        #expect((response.field("Retry-After") != nil) == (expected == 503))
    }

    @Test func resultsAreTheBody() {
        let response = api.response(to: .success(["channel": "One"]), .json)
        #expect(response.code == 200)
        #expect(response.body == .octets(Array(#"{"channel":"One"}"#.utf8)))
        #expect(response.field("Cache-Control") == "no-store")
        #expect(response.field("X-Content-Type-Options") == "nosniff")
        #expect(!response.fields.contains { $0.name.lowercased().hasPrefix("access-control") })
    }

    @Test func screenshotIsAPictureForWhoWantsOne() throws {
        let asked = request(.get, "/v1/screenshot", accept: "image/png")
        guard case .command(_, let form, _) = api.action(for: asked) else {
            Issue.record("no command")
            return
        }
        let picture: [UInt8] = [0x89, 0x50, 0x4e]
        let result: JSONValue = ["png": .string(Base64.encode(picture)), "width": 1, "height": 1]
        let response = api.response(to: .success(result), form)
        #expect(response.field("Content-Type") == "image/png")
        #expect(response.body == .octets(picture))
        for other in [
            request(.get, "/v1/screenshot", accept: "*/*"), request(.post, "/v1/screenshot", accept: "image/png"),
        ] {
            guard case .command(_, .json, _) = api.action(for: other) else {
                Issue.record("a picture for who did not ask")
                continue
            }
        }
        #expect(api.response(to: .failure(.failure(.busy, "later")), form).code == 503)
    }

    @Test func pagesAndDocument() throws {
        let page = try #require(answer(request(.get, "/")))
        #expect(page.body == .octets(Array("<!doctype html>".utf8)))
        #expect(page.field("Content-Security-Policy")?.contains("default-src 'none'") == true)
        #expect(page.field("Cache-Control") == "no-cache")
        let document = try #require(answer(request(.get, "/v1/openapi.json")))
        guard case .octets(let octets) = document.body else {
            Issue.record("the document is \(document.body)")
            return
        }
        #expect(try JSONValue.parse(octets) == ["openapi": "3.1.0"])
    }

    @Test func movingPicture() throws {
        guard case .picture(let query) = api.action(for: request(.get, "/v1/picture", "17&fps=5")) else {
            Issue.record("no picture")
            return
        }
        #expect(query == PictureQuery(perSecond: 5))
        // The newest picture is ended at once, not when the next one comes.
        let head = "--touchline-picture\r\nContent-Type: image/jpeg\r\n\r\n"
        #expect(api.streamed.body == .stream(opening: Array(head.utf8)))
        #expect(String(decoding: HTTPAPI.part([0x61]), as: UTF8.self) == "a\r\n" + head)
    }
}
