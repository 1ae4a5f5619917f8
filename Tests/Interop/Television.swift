// SPDX-License-Identifier: Apache-2.0
import Foundation
import JSON

/// A television of BBC's pydvbcss, which obeys what it is told. It has no timeline before it is told `available`.
final class Television {
    /// A position of the programme, 90 kHz, and when it had it, in seconds of `ControlSocket.now`, which is the
    /// television's wall clock, too.
    struct Position {
        let time: Double
        let ticks: Double

        /// At a later or an earlier moment, at normal speed.
        func ticks(at moment: Double) -> Double { ticks + (moment - time) * 90_000 }
    }

    static let content = "dvb://233a.1004.1044;363a~20130218T0915Z--PT00H45M"

    private let venue: TestVenue
    private let python = Peer.pydvbcss.path
    private let ports = (content: Int.random(in: 30_000...31_999), wallClock: Int.random(in: 30_000...31_999))
    private var process: ChildProcess
    /// What this writes, the process reads. A descriptor that reads as well, so that nobody gets SIGPIPE when that has
    /// ended.
    private let input: FileHandle

    init(in venue: TestVenue) async throws {
        self.venue = venue
        let path = venue.directory.file("television")
        guard mkfifo(path, 0o600) == 0 else { throw VenueError("mkfifo: \(errno)") }
        let descriptor = open(path, O_RDWR | O_CLOEXEC)
        guard descriptor >= 0 else { throw VenueError("open \(path): \(errno)") }
        input = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        process = try Self.start(in: venue, by: python, ports, input)
        try await awaitReady()
    }

    /// Of CSS-CII.
    var url: String { "ws://127.0.0.1:\(ports.content)/cii" }
    /// Of CSS-TS.
    var timelineURL: String { "ws://127.0.0.1:\(ports.content)/ts" }
    var wallClockURL: String { "udp://127.0.0.1:\(ports.wallClock)" }

    /// Octets that it has said.
    var said: Int { process.output.count }

    /// Waits until one more client of CSS-CII has its first message than when it had said so many octets.
    func awaitClient(after said: Int) async throws { _ = try await awaitLine(from: said) { $0["joined"] == "cii" } }

    func kill() async throws {
        process.signal(SIGKILL)
        _ = try await process.exitCode(within: .seconds(5))
    }

    /// Once more, at the same ports.
    func restart() async throws {
        process = try Self.start(in: venue, by: python, ports, input)
        try await awaitReady()
    }

    /// - Returns: where the programme was when it had obeyed.
    @discardableResult
    func obey(_ command: String) async throws -> Position {
        let begin = process.output.count
        try input.write(contentsOf: Data((command + "\n").utf8))
        let answer = try await awaitLine(from: begin) { $0["command"] == .string(command) }
        guard answer["obeyed"] == true, let time = answer["wallClock"]?.number, let ticks = answer["position"]?.number
        else { throw VenueError("the television does not obey \(command): \(answer.text())") }
        return Position(time: time / 1e9, ticks: ticks)
    }

    private static func start(
        in venue: TestVenue, by python: String, _ ports: (content: Int, wallClock: Int), _ input: FileHandle
    ) throws -> ChildProcess {
        let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        let program = folder.appendingPathComponent("companion.py")
        return try venue.start(
            [
                "env", "PYTHONPATH=\(Peer.pydvbcssFolder)", python, "-B", program.path, "tv", "--cii-port",
                "\(ports.content)", "--wc-port", "\(ports.wallClock)", "--unavailable",
            ], name: "television", input: input)
    }

    private func awaitReady() async throws { _ = try await awaitLine(from: 0) { $0["ready"] == true } }

    private func awaitLine(from begin: Int, where fits: (JSONValue) -> Bool) async throws -> JSONValue {
        var found: JSONValue?
        _ = try await eventually(within: .seconds(10)) {
            let new = try process.output(from: begin)
            let end = new.lastIndex(of: UInt8(ascii: "\n")) ?? new.startIndex
            found = try new[..<end].split(separator: UInt8(ascii: "\n")).map { try JSONValue.parse(Array($0)) }
                .first(where: fits)
            return found != nil || !process.isRunning
        }
        guard let found else { throw VenueError("the television says nothing\n\(process.messages)") }
        return found
    }
}
