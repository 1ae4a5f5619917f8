// SPDX-License-Identifier: Apache-2.0
import Glibc
import HTTP
import System
import Testing

@testable import Web

/// The real sockets. Requests as no tidy client writes them.
struct WebServerTests {
    private func withServer(_ body: (OwnedServer) throws -> Void) throws {
        let server = try OwnedServer()
        defer { server.stop() }
        try body(server)
    }

    @Test func requestsAreReadAndAnswered() throws {
        try withServer { server in
            let client = try RawClient(server.port)
            try client.say(
                "POST /v1/a%20b?x=%C3%A9%26&y=1+2&z HTTP/1.1\r\nHost: localhost:1\r\nOrigin: http://o\r\n"
                    + "Accept: image/png\r\nidempotency-KEY: \"a b\"\r\nContent-Type: application/json\r\n"
                    + "Content-Length: 4\r\n\r\n{ }\n")
            let (asker, request) = try server.request()
            #expect(request.peer == .loopback(port: server.port))
            #expect(
                request
                    == HTTPRequest(
                        .post, "/v1/a b", query: ["x=é&", "y=1 2", "z"].map { Array($0.utf8) }, host: "localhost:1",
                        origin: "http://o", accept: "image/png", contentType: "application/json",
                        idempotencyKey: "\"a b\"", body: .octets(Array("{ }\n".utf8)), peer: request.peer))
            server.server.respond(to: asker, HTTPResponse(200, fields: [("A", "b")], body: .octets([1, 2, 3])))
            let answer = try client.response()
            #expect(answer.head == "HTTP/1.1 200 OK\r\nA: b\r\nContent-Length: 3\r\nConnection: close")
            #expect(answer.body == [1, 2, 3])
        }
    }

    /// The library decodes a line end and then takes it for one: what follows it is lost, and the version with it.
    @Test(arguments: [
        "x=%0D&y=2", "x=%0DZ&y=2", "x=1%0D%0Ay:2", "x=%0A", "x=1%0D%0AHost:%20localhost%0D%0Ay:2",
        "x=1%0D%0AHTTP/1.1%20HTTP/1.1%0D%0Ay:2",
    ])
    func aLineEndInTheQueryIsNoticed(query: String) throws {
        try withServer { server in
            let client = try RawClient(server.port)
            try client.say("GET /v1/a?\(query) HTTP/1.1\r\nHost: h\r\n\r\n")
            #expect(try server.request().request.version == nil)
        }
    }

    /// In order, though the second is there before the first is answered.
    @Test func requestsOfOneConnection() throws {
        try withServer { server in
            let client = try RawClient(server.port)
            try client.say((0..<5).map { "GET /\($0) HTTP/1.1\r\nHost: h\r\n\r\n" }.joined())
            for number in 0..<5 {
                let (asker, request) = try server.request()
                #expect(request.path == "/\(number)")
                server.server.respond(to: asker, HTTPResponse(200, body: .octets(Array("\(number)".utf8))))
            }
            for number in 0..<5 { #expect(try client.response().body == Array("\(number)".utf8)) }
        }
    }

    /// No octet of one request is taken for another: behind a body the connection ends.
    @Test func nothingIsReadBehindABody() throws {
        try withServer { server in
            let client = try RawClient(server.port)
            let one = "POST /one HTTP/1.1\r\nHost: h\r\nContent-Length: 2\r\n\r\n{}"
            try client.say(one + one + "GET /two HTTP/1.1\r\nHost: h\r\n\r\n")
            let (asker, request) = try server.request()
            #expect(request.body == .octets([0x7b, 0x7d]))
            server.server.respond(to: asker, HTTPResponse(200))
            let answer = try client.takeAll()
            #expect(answer == "HTTP/1.1 200 OK\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
            #expect(server.server.takeReports().isEmpty)
        }
    }

    /// Up to a size they leave the connection open.
    @Test(arguments: [65_536, 65_537, 3_000_000]) func largeAnswersAreWhole(count: Int) throws {
        // No piece is like another; made before anybody waits, and not octet by octet.
        var octets = (0..<251).map { UInt8($0) }
        while octets.count < count { octets += octets }
        octets.removeLast(octets.count - count)
        try withServer { server in
            let client = try RawClient(server.port)
            for _ in 0..<(count > 65_536 ? 1 : 2) {
                try client.say("GET / HTTP/1.1\r\nHost: h\r\n\r\n")
                server.server.respond(to: try server.request().client, HTTPResponse(200, body: .octets(octets)))
                let answer = try client.response()
                let isWhole = answer.body == octets
                #expect(isWhole && answer.head.contains("Connection: close") == (count > 65_536))
            }
        }
    }

    @Test func headHasNoBody() throws {
        try withServer { server in
            let client = try RawClient(server.port)
            for method in ["HEAD", "GET"] {
                try client.say(
                    "\(method) / HTTP/1.1\r\nHost: h\r\nConnection: \(method == "GET" ? "close" : "keep-alive")\r\n\r\n"
                )
                server.server.respond(to: try server.request().client, HTTPResponse(200, body: .octets([0x61])))
            }
            let answer = "HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\n"
            #expect(try client.takeAll() == answer + answer + "a")
        }
    }

    /// What follows cannot be told from the body: the connection ends with the answer.
    @Test(arguments: [
        ("", HTTPRequest.Body.octets([])),
        ("Content-Length: 425985\r\n", .tooLarge(limit: WebLimits().bodyOctets)),
        ("Content-Length: 999999999999999999\r\n", .tooLarge(limit: WebLimits().bodyOctets)),
        ("Content-Length: -1\r\n", .ofUnknownLength), ("Content-Length: 1x\r\n", .ofUnknownLength),
        ("Content-Length: 99999999999999999999\r\n", .ofUnknownLength),
        ("Content-Length: 1\r\nContent-Length: 2\r\n", .ofUnknownLength),
        ("Transfer-Encoding: chunked\r\n", .ofUnknownLength),
        ("Transfer-Encoding: chunked\r\nContent-Length: 3\r\n", .ofUnknownLength),
    ])
    func bodiesThatAreNotRead(fields: String, expected: HTTPRequest.Body) throws {
        try withServer { server in
            let client = try RawClient(server.port)
            try client.say("POST / HTTP/1.1\r\nHost: h\r\n\(fields)\r\n")
            let (asker, request) = try server.request()
            #expect(request.body == expected)
            server.server.respond(to: asker, HTTPResponse(400))
            #expect(
                try client.takeAll() == "HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
        }
    }

    @Test func theLargestBodyIsRead() throws {
        try withServer { server in
            let client = try RawClient(server.port)
            let body = (0..<WebLimits().bodyOctets).map { UInt8(truncatingIfNeeded: $0) }
            try client.say("PUT / HTTP/1.1\r\nHost: h\r\nContent-Length: \(body.count)\r\n\r\n")
            try client.say(body)
            let (asker, request) = try server.request()
            #expect(request.body == .octets(body))
            server.server.respond(to: asker, HTTPResponse(204))
            #expect(try client.takeAll() == "HTTP/1.1 204 No Content\r\nConnection: close\r\n\r\n")
        }
    }

    @Test(arguments: [
        ("TRACE / HTTP/1.1\r\nHost: h\r\n\r\n", "HTTP/1.1 405 "),
        ("BREW / HTTP/1.1\r\nHost: h\r\n\r\n", "HTTP/1.1 405 "),
        ("\u{16}\u{3}\u{1}\u{0}\u{5}", "HTTP/1.1 400 "), ("hello\r\n\r\n", "HTTP/1.1 400 "),
    ])
    func whatIsNoRequestOfOurs(text: String, expected: String) throws {
        try withServer { server in
            let client = try RawClient(server.port)
            try client.say(text)
            let answer = try client.takeAll()
            #expect(answer.hasPrefix(expected), "\(answer)")
            #expect(answer.hasSuffix("Connection: close\r\n\r\n"))
        }
    }

    /// Nothing but an end of the connection, and others go on.
    @Test(arguments: [
        "CONNECT h:1 HTTP/1.1\r\nHost: h\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: h\r\nConnection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABkAAQAAP__\r\n\r\n",
        "GET /?a=x%00y HTTP/1.1\r\nHost: h\r\n\r\n", "GET /%zz HTTP/1.1\r\nHost: h\r\n\r\n",
        "GET / HTTP/1.1\r\nA: " + String(repeating: "x", count: 20_000) + "\r\n\r\n",
        "GET /?" + String(repeating: "a=1&", count: 400) + " HTTP/1.1\r\nHost: h\r\n\r\n",
        "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
    ])
    func hostileRequests(text: String) throws {
        try withServer { server in
            let client = try RawClient(server.port)
            try client.say(text)
            let answer = try client.takeAll()
            #expect(!answer.hasPrefix("HTTP/1.1 2") && !answer.contains(" 101 "), "\(answer)")
            let other = try RawClient(server.port)
            try other.say("GET /other HTTP/1.1\r\nHost: h\r\n\r\n")
            let (asker, request) = try server.request()
            #expect(request.path == "/other")
            server.server.respond(to: asker, HTTPResponse(200))
            #expect(try other.response().head.hasPrefix("HTTP/1.1 200"))
        }
    }

    @Test func clientsThatLeaveAreForgotten() throws {
        try withServer { server in
            for _ in 0..<50 {
                let client = try RawClient(server.port)
                try client.say("GET / HTTP/1.1\r\nHost: h\r\n\r\n")
            }
            for _ in 0..<50 { server.server.respond(to: try server.request().client, HTTPResponse(200)) }
        }
    }

    /// Beyond the limit callers are told so; when one leaves there is room.
    @Test func connectionsAreBounded() throws {
        try withServer { server in
            var clients: [RawClient] = []
            for _ in 0..<WebLimits().connections { clients.append(try RawClient(server.port)) }
            try clients[WebLimits().connections - 1].say("GET / HTTP/1.1\r\nHost: h\r\n\r\n")
            server.server.respond(to: try server.request().client, HTTPResponse(200))
            _ = try clients[WebLimits().connections - 1].response()
            #expect(try RawClient(server.port).takeAll().hasPrefix("HTTP/1.1 503 "))
            clients.removeFirst(100)
            // TRACE the server answers itself.
            var answer = ""
            while !answer.hasPrefix("HTTP/1.1 405 ") {
                let client = try RawClient(server.port)
                client.try("TRACE / HTTP/1.1\r\nHost: h\r\n\r\n")
                answer = try client.takeAll()
            }
        }
    }

    /// The answer to `shutdown` still goes out.
    @Test func stopSendsWhatIsAnswered() throws {
        let server = try OwnedServer()
        let client = try RawClient(server.port)
        try client.say("POST /v1/shutdown HTTP/1.1\r\nHost: h\r\nContent-Length: 0\r\n\r\n")
        server.server.respond(to: try server.request().client, HTTPResponse(200, body: .octets([0x7b, 0x7d])))
        server.stop()
        #expect(try client.takeAll().hasSuffix("\r\n\r\n{}"))
    }

    @Test func portOfAnotherIsRefused() throws {
        let first = try TCPListener.loopback(port: 0)
        let port = first.port
        do {
            let second = try TCPListener.loopback(port: port)
            Issue.record("two on port \(second.port)")
        } catch {
            #expect(error.call.contains("\(port)"))
        }
        for socket in first.release() { close(socket) }
        let third = try TCPListener.loopback(port: port)
        #expect(third.port == port)
    }
}
