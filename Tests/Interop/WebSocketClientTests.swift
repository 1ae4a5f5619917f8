// SPDX-License-Identifier: Apache-2.0
import Foundation
import JSON
import System
import Testing
import Time
import Web

extension Interop {
    /// Our WebSocket client at Python's server.
    @Suite(.enabled(if: Peer.websockets.isThere)) struct WebSocketClientTests {
        private func withOwner(
            _ limits: WebSocketClient.Limits = .init(), _ body: (WebSocketOwner) async throws -> Void
        ) async throws {
            let owner = try WebSocketOwner(limits)
            defer { owner.client.stop() }
            try await body(owner)
        }

        /// The path arrives as it was given, and no header that would make a television refuse us.
        @Test(arguments: [("127.0.0.1", "127.0.0.1"), ("::1", "[::1]"), ("localhost", "localhost")])
        func talks(host: String, authority: String) async throws {
            try await WebSocketPeer.serving(on: host == "::1" ? "::1" : "127.0.0.1") { peer, port in
                try await withOwner { owner in
                    let path = "/echo/%C3%A4;b=c?x=%2f&y=a+b//"
                    let connection = try await owner.open(host, port, path)
                    let sent = ["a", String(repeating: "ä", count: 30_000), String(repeating: "x", count: 126), "z"]
                    for text in sent { owner.client.send(Array(text.utf8), to: connection) }
                    try await owner.await("answered") { _ in owner.messages(of: connection).count == 5 }
                    owner.client.close(connection, status: 3_001)
                    #expect(try await owner.reason(of: connection) == .byClient(status: 3_001))
                    let messages = owner.messages(of: connection).map { String(decoding: $0, as: UTF8.self) }
                    let request: JSONValue = [.string(path), .string("\(authority):\(port)"), false]
                    #expect(try JSONValue.parse(Array(messages[0].utf8)) == request)
                    #expect(Array(messages[1...]) == sent)
                    #expect(try await peer.line(2)["code"] == 3_001)
                }
            }
        }

        @Test func messagesAreJudged() async throws {
            try await WebSocketPeer.serving { peer, port in
                try await withOwner { owner in
                    let whole = try await owner.open("127.0.0.1", port, "/fragments")
                    try await owner.await("received") { _ in !owner.messages(of: whole).isEmpty }
                    #expect(owner.messages(of: whole) == [Array(("aä" + String(repeating: "b", count: 20_000)).utf8)])
                    let largest = try await owner.open("127.0.0.1", port, "/large/65536")
                    try await owner.await("received") { _ in owner.messages(of: largest).first?.count == 65_536 }
                    for (path, status) in [
                        ("/large/65537", 1_009), ("/large/1000000", 1_009), ("/binary", 1_003), ("/badtext", 1_007),
                    ] as [(String, UInt16)] {
                        #expect(try await owner.reason("127.0.0.1", port, path) == .byClient(status: status), "\(path)")
                    }
                    for number in 2...5 {
                        let code = try await peer.line(number)["code"]
                        #expect(code == [1_009, 1_009, 1_003, 1_007][number - 2])
                    }
                    try Peer.websockets.log(test: "messagesAreJudged", checks: 10)
                }
            }
        }

        @Test func theServersReasonIsReported() async throws {
            try await WebSocketPeer.serving { peer, port in
                try await withOwner { owner in
                    for status in [1_000, 1_001, 1_011, 3_000, 4_999] as [UInt16] {
                        let reason = try await owner.reason("127.0.0.1", port, "/close/\(status)")
                        #expect(reason == .byServer(status: status))
                    }
                    for status in [302, 403, 404, 503] {
                        let reason = try await owner.reason("127.0.0.1", port, "/refuse/\(status)")
                        #expect(reason == .refused(httpStatus: status))
                    }
                    let dying = try await owner.open("127.0.0.1", port, "/echo")
                    peer.process.signal(SIGKILL)
                    #expect(try await owner.reason(of: dying) == .byServer(status: nil))
                    guard case .unreachable = try await owner.reason("127.0.0.1", port, "/echo") else {
                        throw VenueError("\(owner.reports)")
                    }
                    try Peer.websockets.log(test: "theServersReasonIsReported", checks: 11)
                }
            }
        }

        /// What is no target is said to be none, and asks nobody.
        @Test(arguments: [
            ("127.0.0.1", "echo"), ("127.0.0.1", "/a b"), ("127.0.0.1", "/a\r\nX: y"), ("", "/"),
            ("no-such-host.invalid", "/"), ("127.0.0.1\r\nX: y", "/"),
        ])
        func badTargets(host: String, path: String) async throws {
            try await withOwner { owner in
                switch try await owner.reason(host, 9, path) {
                // A resolver that cannot be reached keeps a name waiting.
                case .unreachable: break
                case .timedOut: #expect(host == "no-such-host.invalid")
                case let other: Issue.record("\(other)")
                }
            }
        }

        /// A server that says nothing, before the WebSocket is open and after it; another goes on meanwhile.
        @Test func silenceIsNoticed() async throws {
            let limits = WebSocketClient.Limits(
                connecting: .seconds(3), pingPeriod: .seconds(1), silence: .seconds(4))
            try await WebSocketPeer.serving("silent") { _, silentPort in
                try await WebSocketPeer.serving { stopped, stoppedPort in
                    try await WebSocketPeer.serving { _, port in
                        try await withOwner(limits) { owner in
                            let living = try await owner.open("127.0.0.1", port, "/echo")
                            let silent = owner.client.connect(to: "127.0.0.1", port: silentPort, path: "/")
                            #expect(try await owner.reason(of: silent, within: .seconds(30)) == .timedOut)
                            let dead = try await owner.open("127.0.0.1", stoppedPort, "/echo")
                            stopped.process.signal(SIGSTOP)
                            defer { stopped.process.signal(SIGCONT) }
                            #expect(try await owner.reason(of: dead, within: .seconds(30)) == .timedOut)
                            owner.client.send(Array("still here".utf8), to: living)
                            try await owner.await("answered") { _ in owner.messages(of: living).count == 2 }
                            try Peer.websockets.log(test: "silenceIsNoticed", checks: 3)
                        }
                    }
                }
            }
        }

        /// Neither a server that does not read nor one that sends without end makes us keep more than the limit.
        @Test func whatWaitsIsBounded() async throws {
            try await WebSocketPeer.serving { _, port in
                try await withOwner { owner in
                    let deaf = try await owner.open("127.0.0.1", port, "/deaf")
                    let message = [UInt8](repeating: 0x78, count: 65_536)
                    for _ in 0..<400 { owner.client.send(message, to: deaf) }
                    #expect(try await owner.reason(of: deaf) == .byClient(status: 1_008))
                    let flooding = try await owner.open("127.0.0.1", port, "/flood/100000")
                    try await Task.sleep(for: .milliseconds(500))
                    #expect(try await owner.reason(of: flooding) == .byClient(status: 1_008))
                    let kept = owner.messages(of: flooding).map { Int(String(decoding: $0, as: UTF8.self)) ?? -1 }
                    #expect(kept == Array(0..<kept.count) && kept.count < 100_000)
                }
            }
        }

        @Test func thousandShortConnections() async throws {
            try await WebSocketPeer.serving { _, port in
                let before = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count
                try await withOwner { owner in
                    for number in 0..<1_000 {
                        let connection = try await owner.open("127.0.0.1", port, "/echo")
                        owner.client.close(connection, status: 1_000)
                        let reason = try await owner.reason(of: connection)
                        try #require(reason == .byClient(status: 1_000), "connection \(number)")
                    }
                }
                let after = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count
                #expect(after < before + 50)
                try Peer.websockets.log(test: "thousandShortConnections", checks: 1_000)
            }
        }

        /// Neither a look-up nor a server that says nothing delays the end; the server is told.
        @Test func stoppingIsQuick() async throws {
            try await WebSocketPeer.serving("silent") { _, silentPort in
                try await WebSocketPeer.serving { peer, port in
                    let owner = try WebSocketOwner()
                    _ = try await owner.open("127.0.0.1", port, "/echo")
                    _ = owner.client.connect(to: "127.0.0.1", port: silentPort, path: "/")
                    _ = owner.client.connect(to: "no-such-host.invalid", port: 1, path: "/")
                    let start = SystemClock.monotonic()
                    owner.client.stop()
                    #expect((SystemClock.monotonic() - start).milliseconds < 2_000)
                    #expect(try await peer.line(2)["code"] == 1_001)
                }
            }
        }
    }
}
