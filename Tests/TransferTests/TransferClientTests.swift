// SPDX-License-Identifier: Apache-2.0
import Dispatch
import HTTP
import System
import Testing
import Time
import Web

@testable import Transfer

@Suite(.serialized) struct TransferClientTests {
    private final class Owner {
        let client: TransferClient
        private let semaphore = DispatchSemaphore(value: 0)
        private var pending: [TransferClient.Report] = []

        init() throws {
            let semaphore = semaphore
            client = try TransferClient { semaphore.signal() }
        }

        deinit { client.stop() }

        func next() throws -> TransferClient.Report {
            while pending.isEmpty {
                try #require(semaphore.wait(timeout: .now() + 20) == .success)
                pending = client.takeReports()
            }
            return pending.removeFirst()
        }

        func get(_ url: String, mostOctets: Int = 1_000, timeout: Nanoseconds = .seconds(5)) throws
            -> Result<TransferResponse, TransferFailure>
        {
            let request = TransferRequest(
                url, mostOctets: mostOctets, timeout: timeout, fields: ["Application-URL", "Location"],
                staysOnLink: true)
            let transfer = client.begin(request)
            let report = try next()
            #expect(report.transfer == transfer)
            return report.result
        }
    }

    /// Answers each request by its path, on a thread of its own.
    private final class Server: Sendable {
        let port: UInt16
        private let web: WebServer
        private let thread: DedicatedThread
        private let stopping = DispatchSemaphore(value: 0)

        init() throws {
            let listener = try TCPListener.loopback(port: 0)
            port = listener.port
            let (reports, stopping) = (DispatchSemaphore(value: 0), stopping)
            let web = try WebServer(listener, wake: { reports.signal() }, admit: { _, _ in HTTPResponse(404) })
            self.web = web
            thread = try DedicatedThread("test server") {
                while stopping.wait(timeout: .now()) != .success {
                    _ = reports.wait(timeout: .now() + 0.05)
                    for case .request(let client, let request) in web.takeReports() {
                        web.respond(to: client, Server.answer(to: request))
                    }
                }
            }
        }

        private static func answer(to request: HTTPRequest) -> HTTPResponse {
            switch request.path {
            case "/document":
                HTTPResponse(
                    200, fields: [("application-url", "http://192.0.2.7/apps"), ("Other", "x")],
                    body: .octets(Array("text".utf8)))
            case "/echo":
                HTTPResponse(
                    200, fields: [("X-Method", request.method.rawValue), ("X-Given", request.authorization ?? "none")],
                    body: request.body == .octets(Array("body".utf8)) ? .octets(Array("as sent".utf8)) : .octets([]))
            case "/elsewhere": HTTPResponse(302, fields: [("Location", "/document")])
            case "/long": HTTPResponse(200, body: .octets([UInt8](repeating: 65, count: 1_001)))
            default: HTTPResponse(404)
            }
        }

        func stop() {
            stopping.signal()
            thread.join()
            web.stop()
        }
    }

    @Test func documentsAreFetched() throws {
        let (owner, server) = (try Owner(), try Server())
        defer { server.stop() }
        let base = "http://127.0.0.1:\(server.port)"
        let document = try owner.get("\(base)/document").get()
        #expect(document.status == 200 && document.octets == Array("text".utf8))
        #expect(document.fields == ["application-url": "http://192.0.2.7/apps"])
        #expect(try owner.get("\(base)/other").get().status == 404)
        // A redirection is an answer like another.
        let elsewhere = try owner.get("\(base)/elsewhere").get()
        #expect(elsewhere.status == 302 && elsewhere.fields["location"] == "/document" && elsewhere.octets.isEmpty)
        #expect(try owner.get("\(base)/long") == .failure(.tooLong(limit: 1_000)))
        #expect(try owner.get("\(base)/long", mostOctets: 1_001).get().octets.count == 1_001)
    }

    @Test(arguments: ["https://127.0.0.1:1/", "file:///etc/passwd", "ftp://127.0.0.1/", "no url", ""])
    func otherSchemesAreRefused(url: String) throws {
        guard case .failure(.failed) = try Owner().get(url) else {
            Issue.record("\(url) is fetched")
            return
        }
    }

    @Test func nobodyAnswers() throws {
        let owner = try Owner()
        guard case .failure(.failed) = try owner.get("http://127.0.0.1:9/") else {
            Issue.record("somebody listens at port 9")
            return
        }
        // A server that takes connections and says nothing.
        let silent = try TCPListener.loopback(port: 0)
        let begin = SystemClock.monotonic()
        let result = try owner.get("http://127.0.0.1:\(silent.port)/", timeout: .milliseconds(300))
        #expect(result == .failure(.timedOut))
        // curl counts whole milliseconds.
        #expect(SystemClock.monotonic() - begin >= .milliseconds(299))
    }

    @Test(arguments: [TransferRequest.Method.put, .post]) func documentsAreSent(method: TransferRequest.Method) throws {
        let (owner, server) = (try Owner(), try Server())
        defer { server.stop() }
        var request = TransferRequest(
            "http://127.0.0.1:\(server.port)/echo", mostOctets: 100, timeout: .seconds(5),
            fields: ["X-Method", "X-Given"])
        request.method = method
        request.body = Array("body".utf8)
        request.header = [.init("Authorization", "Bearer x"), .init("Content-Type", "text/plain")]
        request.trust = .system
        _ = owner.client.begin(request)
        let response = try owner.next().result.get()
        #expect(response.octets == Array("as sent".utf8))
        #expect(response.fields == ["x-method": method.rawValue, "x-given": "Bearer x"])
        request.body = []
        _ = owner.client.begin(request)
        #expect(try owner.next().result.get().octets.isEmpty)
    }

    /// Whatever leads there: an address, a name, another way to write it.
    @Test(arguments: ["127.0.0.1", "localhost", "[::1]", "127.1", "2130706433", "[::ffff:127.0.0.1]", "0.0.0.0"])
    func nothingNearIsAskedUnlessItMayBe(host: String) throws {
        let (owner, server) = (try Owner(), try Server())
        defer { server.stop() }
        var request = TransferRequest(
            "http://\(host):\(server.port)/document", mostOctets: 100, timeout: .seconds(5))
        request.mayBeNear = false
        _ = owner.client.begin(request)
        guard case .failure(.failed) = try owner.next().result else {
            Issue.record("\(host) is asked")
            return
        }
    }

    /// The kernel refuses what would go by a gateway. The address is one for documentation (RFC 5737).
    @Test func nothingGoesToAGateway() throws {
        guard case .failure(.failed) = try Owner().get("http://203.0.113.1/", timeout: .seconds(2)) else {
            Issue.record("a gateway was asked")
            return
        }
    }

    @Test func transfersAreLimitedAndGivenUp() throws {
        let (owner, silent) = (try Owner(), try TCPListener.loopback(port: 0))
        let request = TransferRequest("http://127.0.0.1:\(silent.port)/", mostOctets: 100, timeout: .seconds(60))
        let transfers = (0...TransferClient.mostTransfers).map { _ in owner.client.begin(request) }
        let report = try owner.next()
        #expect(report.transfer == transfers.last)
        #expect(report.result == .failure(.tooMany(limit: TransferClient.mostTransfers)))
        // The owner's end gives up the others at once.
    }
}
