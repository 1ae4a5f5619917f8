// SPDX-License-Identifier: Apache-2.0
import CommandLineClient
import Commands
import HTTP
import JSON
import TestSupport
import Testing

@testable import Control

/// Who may ask at all.
struct HTTPAdmissionTests {
    private let api = HTTPAPI(role: .administrator, catalogue: CommandLineClient.catalogue)

    private func isServed(_ host: String?, _ origin: String? = nil) -> Bool {
        if case .command = api.action(for: HTTPRequest(.get, "/v1/status", host: host, origin: origin)) {
            true
        } else {
            false
        }
    }

    @Test(arguments: ["127.0.0.1:8080", "localhost:8080", "LOCALHOST:8080", "[::1]:8080"])
    func ownNames(host: String) {
        #expect(isServed(host))
        #expect(isServed(host, "http://\(host)"))
        #expect(isServed(host, "HTTP://\(host.uppercased())"))
    }

    /// A name of a stranger's that leads here (DNS rebinding), and what only looks like ours.
    @Test(arguments: [
        nil, "", "evil.example:8080", "127.0.0.1", "localhost:80", "127.0.0.1:8080.evil.example", "127.0.0.1:8080 evil",
        "localhost.:8080", "0.0.0.0:8080", "[::]:8080", "127.0.0.2:8080", "evil@127.0.0.1:8080",
    ])
    func foreignHosts(host: String?) { #expect(!isServed(host)) }

    @Test(arguments: [
        "http://evil.example", "null", "", "https://127.0.0.1:8080", "http://127.0.0.1", "http://localhost:8080",
        "http://127.0.0.1:8080/", "http://127.0.0.1:8080 http://evil.example", "file://",
    ])
    func foreignOrigins(origin: String) { #expect(!isServed("127.0.0.1:8080", origin)) }

    @Test func thePortOfHTTPIsNotWritten() {
        let request = HTTPRequest(
            .get, "/v1/status", host: "localhost", origin: "http://localhost", peer: .loopback(port: 80))
        guard
            case .command = HTTPAPI(role: .viewer, catalogue: CommandLineClient.catalogue).action(
                for: request)
        else {
            Issue.record("refused")
            return
        }
    }

    // MARK: Callers beyond this machine

    private static func caller(isSecure: Bool, port: UInt16 = 8_443, at local: String = "192.0.2.7") -> HTTPPeer {
        HTTPPeer(
            address: "192.0.2.9", localAddress: local, localPort: port, isLoopback: false, isSecure: isSecure)
    }

    private func code(_ peer: HTTPPeer, _ host: String, _ origin: String? = nil) -> Int? {
        let api = HTTPAPI(role: .viewer, catalogue: CommandLineClient.catalogue, names: { ["box.example"] })
        let request = HTTPRequest(.get, "/v1/status", host: host, origin: origin, peer: peer)
        if case .respond(let response) = api.action(for: request) { return response.code }
        return nil
    }

    @Test func othersAreServedByTLSAlone() {
        #expect(code(Self.caller(isSecure: true), "192.0.2.7:8443") == nil)
        #expect(code(Self.caller(isSecure: false), "192.0.2.7:8443") == 403)
    }

    /// What the client connected to, and the names of the settings, are the box; a stranger's name that leads here is not,
    /// and neither is an address of another interface or of loopback.
    @Test func theBoxBeyondThisMachine() {
        let peer = Self.caller(isSecure: true)
        for host in ["192.0.2.7:8443", "box.example:8443", "BOX.example:8443"] {
            #expect(code(peer, host) == nil)
            #expect(code(peer, host, "https://\(host)") == nil)
            #expect(code(peer, host, "http://\(host)") == 403)
        }
        for host in [
            "192.0.2.8:8443", "evil.example:8443", "localhost:8443", "127.0.0.1:8443", "192.0.2.7", "box.example",
        ] {
            #expect(code(peer, host) == 403)
        }
        let six = Self.caller(isSecure: true, at: "2001:db8::7")
        #expect(code(six, "[2001:db8::7]:8443", "https://[2001:db8::7]:8443") == nil)
        #expect(code(six, "2001:db8::7:8443") == 403)
        let standard = Self.caller(isSecure: true, port: 443)
        #expect(code(standard, "box.example", "https://box.example") == nil)
        #expect(code(standard, "box.example:443") == 403)
    }

    /// A part of their query is lost, so that they are answered by no command.
    @Test(arguments: [nil, "", "localhost:8080", "HTTP/0.9"]) func requestLinesThatEndEarly(version: String?) {
        let request = HTTPRequest(.get, "/v1/status", version: version, host: "localhost:8080")
        guard case .respond(let response) = api.action(for: request) else {
            Issue.record("served")
            return
        }
        #expect(response.code == 400 && api.refusal(ofFollower: request, openCount: 0)?.code == 400)
    }

    /// They are refused before anything is told of what there is.
    @Test func foreignersLearnNothing() {
        for path in ["/", "/v1/status", "/v1/nothing"] {
            guard case .respond(let response) = api.action(for: HTTPRequest(.post, path, host: "evil")) else {
                Issue.record("served")
                continue
            }
            #expect(response.code == 403)
        }
    }

    // MARK: WebSockets

    private func code(_ path: String = "/v1/events", _ query: [String] = [], origin: String? = nil, open: Int = 0)
        -> Int?
    {
        let request = HTTPRequest(
            .get, path, query: query.map { Array($0.utf8) }, host: "localhost:8080", origin: origin)
        return api.refusal(ofFollower: request, openCount: open)?.code
    }

    @Test func followers() {
        #expect(code() == nil)
        #expect(code("/v1/events", ["since=4"], origin: "http://localhost:8080") == nil)
        #expect(code(open: 255) == nil)
        #expect(code(open: 256) == 503)
        #expect(code(origin: "http://evil.example") == 403)
        #expect(code("/v1/status") == 404)
        #expect(code("/v1/events", ["since=x"]) == 400)
        #expect(code("/v1/events", ["follow=true"]) == 400)
        let request = HTTPRequest(.get, "/v1/events", query: [Array("since=4".utf8)], host: "localhost:8080")
        #expect(api.following(request) == .events(EventPlace(since: 4)))
        #expect(api.following(HTTPRequest(.get, "/v1/events", host: "localhost:8080")) == .events(EventPlace()))
    }

    /// Total: there is an answer to everything, and it is never a trap.
    @Test func mutationNeverTraps() {
        var mutation = Mutation(seed: 7)
        var random = SplitMix64(seed: 7)
        let queries = ["kind=video&favourites=true", "since=18446744073709551616", "fps=10", "a=%C3%A9&b=\u{301}="]
        let paths = ["/v1/channels", "/v1/events", "/v1/picture", "/v1/tune", "/", "/v1/program"]
        for _ in 0..<Mutation.count() {
            let octets = mutation.damage(Array((queries.randomElement(using: &random) ?? "").utf8))
            let query = octets.split(separator: UInt8(ascii: "&")).map(Array.init)
            let request = HTTPRequest(
                HTTPMethod.allCases.randomElement(using: &random) ?? .get,
                paths.randomElement(using: &random) ?? "/", query: query, host: "localhost:8080",
                accept: String(decoding: octets, as: UTF8.self), contentType: "application/json", body: .octets(octets))
            _ = api.action(for: request)
            _ = api.refusal(ofFollower: request, openCount: 0)
            _ = api.following(request)
        }
    }
}
