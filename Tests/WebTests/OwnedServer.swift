// SPDX-License-Identifier: Apache-2.0
import Dispatch
import HTTP
import System
import Testing
import Web

/// A server whose owner is the test.
final class OwnedServer {
    let port: UInt16
    let server: WebServer
    private let semaphore = DispatchSemaphore(value: 0)
    private var pending: [WebReport] = []

    init(admit: @escaping @Sendable (HTTPRequest, Int) -> HTTPResponse? = { _, _ in nil }) throws {
        let listener = try TCPListener.loopback(port: 0)
        port = listener.port
        let semaphore = semaphore
        server = try WebServer(listener, wake: { semaphore.signal() }, admit: admit)
    }

    func stop() { server.stop() }

    /// The next report; a test that gets none within 20 s fails.
    func next() throws -> WebReport {
        while pending.isEmpty {
            try #require(semaphore.wait(timeout: .now() + 20) == .success)
            pending = server.takeReports()
        }
        return pending.removeFirst()
    }

    /// The next request; reports of another kind before it are passed over.
    func request() throws -> (client: WebClient, request: HTTPRequest) {
        while true {
            if case .request(let client, let request) = try next() { return (client, request) }
        }
    }

    /// Waits until what was sent to a client has gone.
    func awaitSent(_ octets: Int, to client: WebClient) throws {
        var rest = octets
        while rest > 0 {
            if case .sent(client, let count) = try next() { rest -= count }
        }
        #expect(rest == 0)
    }

    func awaitClosed(_ client: WebClient) throws {
        while true {
            if case .closed(client) = try next() { return }
        }
    }
}
