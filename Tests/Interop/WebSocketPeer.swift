// SPDX-License-Identifier: Apache-2.0
import Foundation
import JSON

/// Python's `websockets` as a server or a client.
final class WebSocketPeer {
    let process: ChildProcess

    /// - Parameter words: as `websocket_peer.py` says.
    init(_ words: String..., in directory: TemporaryDirectory) throws {
        let program = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent("websocket_peer.py").path
        process = try ChildProcess([Peer.websockets.path, program] + words, name: "websockets", in: directory)
    }

    /// Runs a body with a server.
    /// - Parameter mode: `serve`, or `silent` for one that accepts and says nothing.
    static func serving(
        _ mode: String = "serve", on host: String = "127.0.0.1", _ body: (WebSocketPeer, UInt16) async throws -> Void
    ) async throws {
        let directory = try TemporaryDirectory()
        let peer = try WebSocketPeer(mode, host, in: directory)
        do {
            let port = try await peer.line(1)["port"]?.integer
            guard let port else { throw VenueError("no port: \(peer.process.messages)") }
            try await body(peer, UInt16(port))
        } catch {
            try await peer.process.end()
            throw error
        }
        try await peer.process.end()
    }

    /// A line of its output, from 1 on.
    func line(_ number: Int) async throws -> JSONValue {
        let came = try await eventually(within: .seconds(30)) { self.lines.count >= number }
        guard came else { throw VenueError("no line \(number): \(process.outputText)\(process.messages)") }
        return try JSONValue.parse(Array(lines[number - 1].utf8))
    }

    private var lines: [Substring] { process.outputText.split(separator: "\n") }
}
