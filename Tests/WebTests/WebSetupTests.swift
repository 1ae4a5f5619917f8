// SPDX-License-Identifier: Apache-2.0
import Certificates
import Dispatch
import Glibc
import HTTP
import System
import Testing
import Web

/// A server that is set up anew while it serves.
struct WebSetupTests {
    /// Answers each request with the port that it came by.
    private final class Server {
        let web: WebServer
        private let semaphore = DispatchSemaphore(value: 0)
        private var applied: Result<WebApplied, SystemCallError>?
        private var answered = 0
        private(set) var lastQuery: [[UInt8]] = []

        init(_ setup: WebSetup, headerKiB: Int = 8) throws {
            let semaphore = semaphore
            var bounds = WebServer.Bounds()
            bounds.headerOctets = headerKiB << 10
            web = try WebServer(setup, bounds: bounds, wake: { semaphore.signal() }, admit: { _, _ in nil })
        }

        private func takeReports() {
            for report in web.takeReports() {
                switch report {
                case .request(let client, let request):
                    answered += 1
                    lastQuery = request.query
                    web.respond(to: client, HTTPResponse(200, body: .octets(Array("\(request.peer.localPort)".utf8))))
                case .applied(let result): applied = result
                default: break
                }
            }
        }

        func apply(_ setup: WebSetup) throws -> Result<WebApplied, SystemCallError> {
            applied = nil
            web.apply(setup)
            while true {
                try #require(semaphore.wait(timeout: .now() + 20) == .success)
                takeReports()
                if let applied { return applied }
            }
        }

        func ask(_ client: RawClient, query: String = "") throws -> (head: String, body: String) {
            try client.say("GET /\(query) HTTP/1.1\r\nHost: h\r\n\r\n")
            let before = answered
            while answered == before {
                try #require(semaphore.wait(timeout: .now() + 20) == .success)
                takeReports()
            }
            let answer = try client.response()
            return (answer.head, String(decoding: answer.body, as: UTF8.self))
        }
    }

    private static func isRefused(_ port: UInt16) -> Bool {
        do {
            _ = try RawClient(port)
            return false
        } catch {
            return true
        }
    }

    private let anywhere = WebPlace.loopback(port: 0, isSecure: false)

    @Test func portsComeAndGo() throws {
        let server = try Server(WebSetup([anywhere]))
        defer { server.web.stop() }
        let first = try #require(server.web.ports.first)
        let old = try RawClient(first)
        #expect(try server.ask(old).body == "\(first)")
        let other = WebPlace(["127.0.0.1"], port: 0, isSecure: false)
        let both = try server.apply(WebSetup([anywhere, other])).get()
        #expect(both.ports.first == first && both.ports.count == 2)
        let second = try #require(both.ports.last)
        let answer = try server.ask(old)
        #expect(answer.head.contains("Connection: close") && answer.body == "\(first)", "it comes anew")
        #expect(try server.ask(RawClient(first)).body == "\(first)")
        #expect(try server.apply(WebSetup([other])).get().ports == [second])
        #expect(Self.isRefused(first))
        #expect(try server.ask(RawClient(second)).body == "\(second)")
        // Limits alone end no connection.
        let kept = try RawClient(second)
        _ = try server.ask(kept)
        #expect(try server.apply(WebSetup([other])).get().newestClient == nil)
        #expect(try !server.ask(kept).head.contains("Connection: close"))
        #expect(try server.apply(WebSetup([])).get().ports.isEmpty && Self.isRefused(second))
    }

    /// No part of a query is lost, however long a line may be: it could be one that a change must not be made without.
    @Test func longQueries() throws {
        let server = try Server(WebSetup([anywhere]), headerKiB: 32)
        defer { server.web.stop() }
        let client = try RawClient(try #require(server.web.ports.first))
        let long = String(repeating: "x", count: 20_000)
        _ = try server.ask(client, query: "?comment=\(long)&base=7")
        #expect(server.lastQuery == [Array("comment=\(long)".utf8), Array("base=7".utf8)])
    }

    /// What cannot be had leaves the server as it was, the port that had to be closed for it included.
    @Test func aFailureChangesNothing() throws {
        let server = try Server(WebSetup([anywhere]))
        defer { server.web.stop() }
        let port = try #require(server.web.ports.first)
        let taken = try TCPListener.loopback(port: 0)
        let wanted = WebSetup([
            WebPlace(["127.0.0.1"], port: port, isSecure: false),
            WebPlace(["127.0.0.1"], port: taken.port, isSecure: false),
        ])
        guard case .failure(let error) = try server.apply(wanted) else {
            Issue.record("a port that is another's was taken")
            return
        }
        #expect(error.code.rawValue == EADDRINUSE)
        #expect(try server.ask(RawClient(port)).body == "\(port)")
        #expect(throws: SystemCallError.self) { try Server(wanted) }
    }

    /// An address that no interface has yet is listened on, and one that stands for all takes the place of one.
    @Test func addresses() throws {
        let server = try Server(WebSetup([WebPlace(["127.0.0.1", "192.0.2.99"], port: 0, isSecure: false)]))
        defer { server.web.stop() }
        let port = try #require(server.web.ports.first)
        #expect(try server.ask(RawClient(port)).body == "\(port)")
        #expect(
            try server.apply(WebSetup([WebPlace(["0.0.0.0", "::"], port: port, isSecure: false)])).get().ports == [port]
        )
        #expect(try server.ask(RawClient(port)).body == "\(port)")
    }

    @Test func fewerConnections() throws {
        var setup = WebSetup([anywhere])
        let server = try Server(setup)
        defer { server.web.stop() }
        let port = try #require(server.web.ports.first)
        let clients = try (0..<4).map { _ in try RawClient(port) }
        for client in clients { _ = try server.ask(client) }
        setup.limits.connections = 4
        _ = try server.apply(setup).get()
        #expect(try RawClient(port).takeAll().hasPrefix("HTTP/1.1 503 "))
        _ = try server.ask(clients[3])
    }

    // MARK: TLS

    private static let identities = Result {
        try (0..<2).map { number in
            let made = try ServerCertificate.selfSigned(name: "\(number)", hosts: ([], []))
            return WebIdentity(certificate: made.certificate, key: made.key)
        }
    }

    /// What is no TLS gets no answer at all, and holds up nobody.
    @Test(arguments: ["GET / HTTP/1.1\r\nHost: h\r\n\r\n", "\u{16}\u{3}\u{1}", "\u{0}\u{0}\u{0}\u{0}\u{0}\u{0}"])
    func noTLS(octets: String) throws {
        let secure = WebPlace.loopback(port: 0, isSecure: true)
        let server = try Server(WebSetup([anywhere, secure], identity: try Self.identities.get()[0]))
        defer { server.web.stop() }
        let client = try RawClient(server.web.ports[1])
        client.try(octets)
        #expect(try server.ask(RawClient(server.web.ports[0])).head.hasPrefix("HTTP/1.1 200 "))
        if octets.utf8.count > 4 {
            #expect(try !client.takeAll().contains("HTTP"), "at most an alert")
        }
    }

    @Test func aCertificateThatIsNoneIsRefused() throws {
        let secure = WebPlace.loopback(port: 0, isSecure: true)
        let identities = try Self.identities.get()
        let mixed = WebIdentity(certificate: identities[0].certificate, key: identities[1].key)
        for wrong in [mixed, WebIdentity(certificate: "", key: ""), WebIdentity(certificate: "x", key: "y")] {
            #expect(throws: SystemCallError.self) { try Server(WebSetup([secure], identity: wrong)) }
        }
        let server = try Server(WebSetup([secure], identity: identities[0]))
        defer { server.web.stop() }
        guard case .failure = try server.apply(WebSetup([secure], identity: mixed)) else {
            Issue.record("it was taken")
            return
        }
        #expect(try server.apply(WebSetup([secure], identity: identities[1])).get().newestClient == 0)
    }
}
