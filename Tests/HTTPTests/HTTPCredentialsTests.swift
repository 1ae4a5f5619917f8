// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing

@testable import HTTP

struct HTTPCredentialsTests {
    private func shown(
        authorization: String? = nil, cookie: String? = nil, subprotocols: String? = nil
    ) -> HTTPCredentials? {
        var request = HTTPRequest(.get, "/")
        (request.authorization, request.cookie, request.subprotocols) = (authorization, cookie, subprotocols)
        return request.credentials(cookieName: "s")
    }

    @Test(
        arguments: [
            (nil, nil), ("Bearer abc", .token("abc")), ("bearer  a-b_c.~+/==", .token("a-b_c.~+/==")),
            ("Basic YTpi", .unreadable), ("Bearer", .unreadable), ("Bearer a b", .unreadable), ("", .unreadable),
            ("Bearer a\u{e9}", .unreadable), ("Bearer a;b", .unreadable),
        ] as [(String?, HTTPCredentials?)]) func authorizations(field: String?, expected: HTTPCredentials?)
    {
        #expect(shown(authorization: field) == expected)
    }

    @Test(
        arguments: [
            ("s=abc", .session("abc")), ("a=1; s=abc; b=2", .session("abc")), ("as=abc", nil), ("S=abc", nil),
            ("s", nil),
            ("s=", .unreadable), ("s=a b", .unreadable), ("s=a;s=b", .session("a")), ("", nil),
        ] as [(String, HTTPCredentials?)]) func cookies(field: String, expected: HTTPCredentials?)
    {
        #expect(shown(cookie: field) == expected)
    }

    @Test(
        arguments: [
            ("touchline, bearer.abc", .token("abc")), ("bearer.abc", .token("abc")), ("touchline", nil),
            ("bearer.", .unreadable), ("xbearer.a", nil), ("bearer.a\u{e9}", .unreadable),
        ] as [(String, HTTPCredentials?)]) func subprotocols(field: String, expected: HTTPCredentials?)
    {
        #expect(shown(subprotocols: field) == expected)
    }

    @Test func aTokenCountsBeforeASession() {
        #expect(shown(authorization: "Bearer t", cookie: "s=c", subprotocols: "bearer.p") == .token("t"))
        #expect(shown(cookie: "s=c", subprotocols: "bearer.p") == .token("p"))
        #expect(shown(authorization: "Basic x", cookie: "s=c") == .unreadable)
        let long = String(repeating: "a", count: 257)
        #expect(shown(authorization: "Bearer \(long)") == .unreadable && shown(cookie: "s=\(long)") == .unreadable)
    }

    @Test func mutationNeverTraps() {
        var mutation = Mutation(seed: 3)
        for _ in 0..<Mutation.count() {
            func text(_ text: String) -> String { String(decoding: mutation.damage(Array(text.utf8)), as: UTF8.self) }
            _ = shown(authorization: text("Bearer abc"))
            _ = shown(cookie: text("a=1; s=abc; b=2"), subprotocols: text("touchline, bearer.abc"))
        }
    }
}
