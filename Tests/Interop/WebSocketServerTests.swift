// SPDX-License-Identifier: Apache-2.0
import Foundation
import HTTP
import JSON
import Synchronization
import System
import TestSupport
import Testing
import Web

extension Interop {
    /// Our server, called by Python's WebSocket client.
    @Suite(.enabled(if: Peer.websockets.isThere)) struct WebSocketServerTests {
        /// Runs a body with a server that sends every message back, or does what the path says.
        /// - Parameter body: is given the server's port.
        private func withServer(
            on addresses: [String] = ["127.0.0.1"], _ body: (UInt16) async throws -> Void
        ) async throws {
            let listener = try TCPListener(addresses, port: 0)
            let port = listener.port
            let woken = DispatchSemaphore(value: 0)
            let server = try WebServer(
                listener, connectionLimit: 40, messageLimit: 64 << 10, wake: { woken.signal() },
                admit: { request, _ in Int(request.path.dropFirst(8)).map { HTTPResponse($0) } })
            let isStopping = Stop()
            let owner = Thread {
                while !isStopping.isSet.load(ordering: .acquiring) {
                    woken.wait()
                    for report in server.takeReports() { Self.answer(report, server) }
                }
                isStopping.ended.signal()
            }
            owner.start()
            defer {
                isStopping.isSet.store(true, ordering: .releasing)
                woken.signal()
                isStopping.ended.wait()
                server.stop()
            }
            try await body(port)
        }

        private final class Stop: Sendable {
            let isSet = Atomic<Bool>(false)
            let ended = DispatchSemaphore(value: 0)
        }

        private static func answer(_ report: WebReport, _ server: WebServer) {
            switch report {
            case .received(let client, let message): server.send(message, to: client)
            case .opened(let client, let request) where request.path == "/close":
                server.send(Array("last".utf8), to: client)
                server.close(client, status: 1_001)
                server.send(Array("too late".utf8), to: client)
            case .opened(_, let request) where request.path == "/stall": usleep(1_500_000)
            case .opened(let client, let request) where request.path == "/many":
                for _ in 0..<100 { server.send([UInt8](repeating: 0x78, count: 100_000), to: client) }
            default: break
            }
        }

        private func call(_ url: String, _ scenario: String, _ argument: String = "") async throws -> JSONValue {
            let directory = try TemporaryDirectory()
            let peer = try WebSocketPeer("call", url, scenario, argument, in: directory)
            let code = try await peer.process.exitCode(within: .seconds(120))
            guard code == 0 else { throw VenueError("\(peer.process.messages)") }
            return try await peer.line(1)
        }

        @Test func clientsAreHeardOnEachAddress() async throws {
            try await withServer(on: ["127.0.0.1", "::1"]) { port in
                for host in ["127.0.0.1", "[::1]"] {
                    let result = try await call("ws://\(host):\(port)/", "echo")
                    #expect(result == ["whole": 6, "code": 3_001])
                }
                try Peer.websockets.log(test: "clientsAreHeardOnEachAddress", checks: 14)
            }
        }

        @Test(arguments: [
            ("oversize", "65537", 1_009), ("oversize", "5000000", 1_009), ("fragments", "66", 1_009),
            ("binary", "", 1_003), ("badtext", "", 1_007),
        ])
        func badMessagesCloseTheirConnection(scenario: String, argument: String, status: Int64) async throws {
            try await withServer { port in
                #expect(try await call("ws://127.0.0.1:\(port)/", scenario, argument) == ["code": .integer(status)])
                #expect(try await call("ws://127.0.0.1:\(port)/", "echo")["whole"] == 6)
                try Peer.websockets.log(test: "badMessagesCloseTheirConnection", checks: 2)
            }
        }

        /// The owner that takes nothing for a while is not drowned.
        @Test func whoSendsTooFastIsClosed() async throws {
            try await withServer { port in
                let result = try await call("ws://127.0.0.1:\(port)/stall", "flood", "1000")
                #expect(result == ["code": 1_008])
            }
        }

        @Test func theServersStatusArrives() async throws {
            try await withServer { port in
                #expect(try await call("ws://127.0.0.1:\(port)/close", "await") == ["code": 1_001])
                #expect(try await call("ws://127.0.0.1:\(port)/refuse/403", "await") == ["refused": 403])
                #expect(try await call("ws://127.0.0.1:\(port)/refuse/503", "await") == ["refused": 503])
                try Peer.websockets.log(test: "theServersStatusArrives", checks: 3)
            }
        }

        @Test func slowReadersGetEverything() async throws {
            try await withServer { port in
                async let slow = call("ws://127.0.0.1:\(port)/many", "slow", "100")
                let other = try await call("ws://127.0.0.1:\(port)/", "echo")
                #expect(other["whole"] == 6)
                let result = try await slow
                #expect(result == ["octets": 10_000_000])
            }
        }

        @Test func thousandShortConnections() async throws {
            try await withServer { port in
                #expect(try await call("ws://127.0.0.1:\(port)/", "short", "1000") == ["whole": 1_000])
                try Peer.websockets.log(test: "thousandShortConnections", checks: 1_000)
            }
        }
    }
}
