// SPDX-License-Identifier: Apache-2.0
import Commands
import Control
import Credentials
import HTTP
import JSON
import Signing
import TestSupport
import Time
import Venue

@testable import Box

/// A gate with a token and a session of each role.
struct AccessDoor {
    let gate: Gate
    let api: HTTPAPI
    /// Requests as callers of this role make them, by what they show.
    var callers: [(label: String, role: Role?, isKnown: Bool, show: (inout HTTPRequest) -> Void)] = []

    init(_ standing: Gate.Standing) throws {
        gate = Gate(standing, Lockout.Limits())
        api = HTTPAPI(access: HTTPAccess(gate), catalogue: Box.catalogue, pages: LivePage.pages)
        var random = SplitMix64(seed: 4)
        func chance() -> [UInt8] {
            (0..<SecretText.tokenOctets).map { _ in UInt8(truncatingIfNeeded: random.next()) }
        }
        var credentials = Credentials()
        let time = WallTime(nanoseconds: 0)
        for role in Role.allCases {
            let text = try credentials.create(role.rawValue, as: role, chance: chance(), at: time)
            gate.use(credentials)
            callers.append(("a token", role, true, { $0.authorization = "Bearer \(text)" }))
            callers.append(("a subprotocol", role, true, { $0.subprotocols = "touchline, bearer.\(text)" }))
            let request = HTTPRequest(
                .post, "/v1/session", host: "127.0.0.1:8080", contentType: "application/json",
                body: .octets((["token": .string(text)] as JSONValue).octets()))
            guard case .respond(let response) = api.action(for: request),
                let cookie = response.field("Set-Cookie")?.split(separator: ";").first
            else { throw Status.failure(.failed, "no session") }
            callers.append(("a session", role, true, { $0.cookie = String(cookie) }))
        }
        callers.append(("nothing, here", standing.loopback, false, { _ in }))
        callers.append(
            (
                "nothing, from elsewhere", standing.elsewhere, false,
                {
                    $0.peer = HTTPPeer(
                        address: "192.0.2.7", localAddress: "192.0.2.1", localPort: 8_443, isLoopback: false,
                        isSecure: true)
                    $0.host = "192.0.2.1:8443"
                }
            ))
    }

    func code(_ request: HTTPRequest) -> Int {
        switch api.action(for: request) {
        case .respond(let response): response.code
        case .make, .command, .picture, .incident, .capture, .metrics: 200
        }
    }

    static func request(_ method: HTTPMethod, _ path: String, _ body: JSONValue? = nil) -> HTTPRequest {
        HTTPRequest(
            method, path, host: "127.0.0.1:8080", contentType: body.map { _ in "application/json" },
            body: .octets(body?.octets() ?? []))
    }
}
