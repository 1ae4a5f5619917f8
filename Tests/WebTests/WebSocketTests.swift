// SPDX-License-Identifier: Apache-2.0
import Glibc
import HTTP
import Testing

@testable import Web

struct WebSocketTests {
    private func opened(_ server: OwnedServer) throws -> WebClient {
        while true {
            if case .opened(let client, let request) = try server.next() {
                #expect(request.path == "/v1/events")
                return client
            }
        }
    }

    @Test func messagesInOrderWhateverTheirLength() throws {
        let server = try OwnedServer()
        defer { server.stop() }
        let client = try RawClient(server.port)
        try client.upgrade("/v1/events?since=7")
        let follower = try opened(server)
        let lengths = [1, 125, 126, 65_535, 65_536, 300_000, 2]
        for length in lengths {
            server.server.send([UInt8](repeating: UInt8(ascii: "x"), count: length), to: follower)
        }
        for length in lengths { #expect(try client.message().count == length) }
        try server.awaitSent(lengths.reduce(0, +), to: follower)
    }

    @Test func refusedOnesAreToldWhy() throws {
        let server = try OwnedServer { request, openCount in
            request.query.isEmpty && openCount == 0 ? nil : HTTPResponse(403, body: .octets([0x7b, 0x7d]))
        }
        defer { server.stop() }
        let upgrade = "Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
        let refused = try RawClient(server.port)
        try refused.say("GET /v1/events?a=b HTTP/1.1\r\nHost: h\r\n\(upgrade)Sec-WebSocket-Version: 13\r\n\r\n")
        let answer = try refused.takeAll()
        #expect(answer.hasPrefix("HTTP/1.1 403 Forbidden\r\n") && answer.hasSuffix("\r\n\r\n{}"), "\(answer)")
        let first = try RawClient(server.port)
        try first.upgrade()
        _ = try opened(server)
        let second = try RawClient(server.port)
        try second.say("GET /v1/events HTTP/1.1\r\nHost: h\r\n\(upgrade)Sec-WebSocket-Version: 13\r\n\r\n")
        #expect(try second.takeAll().hasPrefix("HTTP/1.1 403"))
    }

    /// Who does not read keeps nobody waiting, and what it is owed is known.
    @Test func aClientThatDoesNotRead() throws {
        let server = try OwnedServer()
        defer { server.stop() }
        let slow = try RawClient(server.port, receiveBuffer: 4_096)
        try slow.upgrade()
        let slowFollower = try opened(server)
        let quick = try RawClient(server.port)
        try quick.upgrade()
        let quickFollower = try opened(server)
        let message = [UInt8](repeating: UInt8(ascii: "y"), count: 100_000)
        for _ in 0..<100 { server.server.send(message, to: slowFollower) }
        for _ in 0..<100 {
            server.server.send(message, to: quickFollower)
            #expect(try quick.message().count == message.count)
        }
        for _ in 0..<100 { #expect(try slow.message() == message) }
    }

    @Test func whoLeavesIsReported() throws {
        let server = try OwnedServer()
        defer { server.stop() }
        var client: RawClient? = try RawClient(server.port)
        try client?.upgrade()
        let follower = try opened(server)
        // What clients say is not listened to: a masked text frame.
        try client?.say([0x81, 0x82, 1, 2, 3, 4, 0x69, 0x6b])
        client = nil
        try server.awaitClosed(follower)
        server.server.send([0x61], to: follower)
    }

    // MARK: Streams

    /// Whoever is slow loses whole pieces; the last one comes.
    @Test func slowStreamsLosePieces() throws {
        let server = try OwnedServer()
        defer { server.stop() }
        let client = try RawClient(server.port, receiveBuffer: 4_096)
        try client.say("GET /v1/picture HTTP/1.1\r\nHost: h\r\n\r\n")
        let asker = try server.request().client
        server.server.respond(to: asker, HTTPResponse(200, body: .stream(opening: [])))
        #expect(try client.head() == "HTTP/1.1 200 OK\r\nConnection: close")
        // Four digits and a filling.
        let size = 100_000
        for number in 1_000..<1_400 {
            let piece = Array("\(number)".utf8) + [UInt8](repeating: UInt8(ascii: "x"), count: size - 4)
            server.server.push(piece, to: asker)
        }
        var numbers: [Int] = []
        while numbers.last != 1_399 {
            try client.need(size)
            let text = String(decoding: client.received[..<5], as: UTF8.self)
            #expect(text.hasSuffix("x"))
            numbers.append(try #require(Int(text.dropLast())))
            client.drop(size)
        }
        #expect(numbers == numbers.sorted())
        #expect(numbers.count < 400, "a client that reads nothing cannot have got them all")
    }

    /// The owner begins to feed a viewer with its answer, and would never end if nobody told it that the viewer is gone.
    @Test(arguments: [0, 1, 50]) func whoResetsBeforeTheAnswerIsReported(milliseconds: UInt32) throws {
        let server = try OwnedServer()
        defer { server.stop() }
        for _ in 0..<5 {
            var client: RawClient? = try RawClient(server.port)
            client?.endsByReset()
            try client?.say("GET / HTTP/1.1\r\nHost: h\r\n\r\n")
            let asker = try server.request().client
            client = nil
            usleep(milliseconds * 1_000)
            server.server.respond(to: asker, HTTPResponse(200, body: .stream(opening: [0x61])))
            try feed(asker, of: server)
        }
    }

    /// Pushes pieces until the end is reported. A broken connection shows when something is written.
    private func feed(_ viewer: WebClient, of server: OwnedServer) throws {
        var isClosed = false
        for _ in 0..<10_000 where !isClosed {
            server.server.push([0x61], to: viewer)
            for report in server.server.takeReports() { if case .closed(viewer) = report { isClosed = true } }
            if !isClosed { usleep(1_000) }
        }
        #expect(isClosed)
    }

    @Test func viewersWhoLeaveAreReported() throws {
        let server = try OwnedServer()
        defer { server.stop() }
        var client: RawClient? = try RawClient(server.port)
        try client?.say("GET / HTTP/1.1\r\nHost: h\r\n\r\n")
        let asker = try server.request().client
        server.server.respond(to: asker, HTTPResponse(200, body: .stream(opening: [])))
        _ = try client?.readMore()
        client = nil
        try feed(asker, of: server)
    }
}
