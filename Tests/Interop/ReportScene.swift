// SPDX-License-Identifier: Apache-2.0
import Foundation
import JSON
import Testing

/// A box that reports to `reporter_peer.py`, and what that has kept.
final class ReportScene {
    struct Kept: Hashable {
        let box: String
        let boot: String
        let sequence: Int64
    }

    private let venue: TestVenue
    private let (kept, mode): (String, String)
    private let port: Int64
    private let peer: ChildProcess
    private(set) var box: BoxProcess?
    private var socket: ControlSocket?

    init(_ venue: TestVenue) async throws {
        self.venue = venue
        kept = venue.directory.file("kept.jsonl")
        mode = try venue.directory.write("ok", to: "mode")
        let script = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent("reporter_peer.py").path
        peer = try venue.start(["python3", "-B", script, "0", kept, mode], name: "reporter")
        var found: Int64?
        let peer = peer
        _ = try await eventually(within: .seconds(10)) {
            let line = peer.outputText.split(separator: "\n").first.map { String($0) } ?? ""
            found = (try? JSONValue.parse(line))?["port"]?.integer  // it may be written in part
            return found != nil
        }
        guard let found else { throw VenueError("the reporter does not start: \(peer.messages)") }
        port = found
    }

    /// How the peer answers from now on.
    func answer(_ word: String) throws { try Data(word.utf8).write(to: URL(fileURLWithPath: mode), options: .atomic) }

    func startBox(_ patch: JSONValue = [:]) async throws {
        let settings: JSONValue = [
            "http": ["isEnabled": false], "box": ["tags": ["vip"]],
            "reports": [
                "url": .string("http://127.0.0.1:\(port)/v1/boxes/{box}/reports"), "token": "abc", "intervalS": 1,
                "dimensions": [" suite 12 "],
            ],
        ]
        let box = try await BoxProcess(
            settings.merging(patch: patch), state: venue.directory.file("state"), in: venue)
        self.box = box
        socket = try ControlSocket(box.socket)
    }

    func killBox() async throws {
        box?.process.signal(SIGKILL)
        _ = try await box?.process.exitCode(within: .seconds(5))
    }

    func ask(_ command: String, _ arguments: JSONValue = [:]) throws -> JSONValue {
        guard let socket else { throw VenueError("there is no box") }
        return try socket.ask(command, arguments).result
    }

    /// The answer of `reports`, once it satisfies. At each look the attempts are accounted for (G-10).
    func awaitStatus(
        _ what: String, within limit: Duration = .seconds(30), _ isRight: (JSONValue) -> Bool
    ) async throws -> JSONValue {
        var status = JSONValue.null
        let isThere = try await eventually(within: limit) {
            status = try ask("reports")
            func count(_ name: String) -> Int64 { status[name]?.integer ?? -1 }
            #expect(count("attempts") == count("successes") + count("failures") + count("inFlight"))
            return isRight(status)
        }
        if !isThere { throw VenueError("\(what): \(status.text())\n\(peer.messages.suffix(2_000))") }
        return status
    }

    /// What the peer says of requests.
    var requests: [JSONValue] {
        peer.outputText.split(separator: "\n").dropFirst().compactMap { try? JSONValue.parse(String($0)) }
    }

    /// Every report that the peer has kept, each as often as it was kept.
    var reports: [JSONValue] {
        get throws {
            guard FileManager.default.fileExists(atPath: kept) else { return [] }
            return try String(contentsOfFile: kept, encoding: .utf8).split(separator: "\n").map {
                try JSONValue.parse(String($0))
            }
        }
    }

    static func id(_ report: JSONValue) -> Kept {
        Kept(
            box: report["box"]?.string ?? "", boot: report["boot"]?.string ?? "",
            sequence: report["sequence"]?.integer ?? 0)
    }
}
