// SPDX-License-Identifier: Apache-2.0
import Foundation
import JSON
import Testing

/// A running `touchlined` and the answers that `touchline` gets from it.
final class BoxProcess {
    let process: ChildProcess
    let socket: String
    private let venue: TestVenue
    private let client: String
    /// For what is asked again and again: a program each time costs more than the box needs to answer.
    private let control: ControlSocket

    /// Starts a box on loopback that no settings but these reach, and waits until it answers.
    /// - Parameters:
    ///   - state: its directory; nil: one of its own.
    ///   - place: path of its control socket; nil: one of its own.
    ///   - entry: in front of its command.
    init(
        _ settings: JSONValue, state: String? = nil, socket place: String? = nil, through entry: [String] = [],
        in venue: TestVenue
    ) async throws {
        self.venue = venue
        let name = "box-\(UInt32.random(in: 0 ... .max))"
        let socket = place ?? venue.directory.file("\(name).sock")
        self.socket = socket
        client = try Programs.path("touchline")
        let configuration = Self.usual.merging(patch: settings)
        let path = try venue.directory.write(configuration.text(), to: "\(name).json")
        let state = state ?? venue.directory.file("\(name).state")
        let command = [try Programs.path("touchlined"), "--config", path, "--state", state, "--socket", socket]
        let process = try venue.start(entry + command, name: name)
        self.process = process
        var opened: ControlSocket?
        _ = try await eventually(within: .seconds(10)) {
            guard process.isRunning else {
                let code = try await process.exitCode(within: .zero)
                throw VenueError("the box ended with \(code): \(process.messages.suffix(500))")
            }
            opened = try? ControlSocket(socket)  // refused until the box listens
            return try opened?.ask("status") != nil
        }
        guard let opened else { throw VenueError("the box does not answer") }
        control = opened
    }

    static let license: JSONValue = ["venueName": "Arena", "contentOwner": "League", "appDeveloper": "Touchline"]

    private static let usual: JSONValue = [
        "box": ["name": "Interop"], "license": license, "network": ["interface": "lo"],
        "announcements": ["groups": []], "output": ["kind": "headless", "width": 640, "height": 360],
        "http": ["port": 0],
        "screenText": ["enabled": false],  // pictures are compared whole
    ]

    // MARK: Commands

    /// `touchline` with these words, run to its end.
    func run(_ words: String...) async throws -> ChildProcess { try await run(words) }

    func run(_ words: [String]) async throws -> ChildProcess {
        try await venue.run([client, "--socket", socket] + words)
    }

    /// The result of a command that the socket alone is given.
    func ask(_ command: String, _ arguments: JSONValue = [:]) throws -> JSONValue {
        try control.ask(command, arguments).result
    }

    /// The result that `--json` prints.
    func answer(_ words: String...) async throws -> JSONValue {
        let child = try await run(words + ["--json"])
        guard try await child.exitCode(within: .zero) == 0 else {
            throw VenueError("touchline \(words.joined(separator: " ")): \(child.messages)")
        }
        return try JSONValue.parse(Array(child.output))
    }

    var channelNames: [String] {
        get async throws {
            try control.ask("channels").result["channels"]?.array?.compactMap { $0["name"]?.string } ?? []
        }
    }

    /// A counter of `stats`: `/reception/foreignSSRC`.
    func counter(_ pointer: String) async throws -> Int64 {
        try await counters(pointer)[0]
    }

    /// Counters of one moment; what the box does not have is -1.
    func counters(_ pointers: String...) async throws -> [Int64] {
        let stats = try control.ask("stats").result
        return pointers.map { stats.at("/stats" + $0)?.integer ?? -1 }
    }

    func tune(_ name: String) async throws {
        _ = try await answer("tune", name)
        let isPlaying = try await eventually(within: .seconds(5)) {
            let status = try control.ask("status").result
            return status["channel"] == .string(name) && status["isPlaying"] == true
        }
        guard isPlaying else { throw VenueError("\(name) does not play: \(try await answer("stats"))") }
    }

    /// Waits until a channel is listed.
    func awaitChannel(_ name: String, within limit: Duration = .seconds(10)) async throws {
        guard try await eventually(within: limit, { try await channelNames.contains(name) }) else {
            throw VenueError("no channel \(name): \(try await answer("stats"))")
        }
    }

    @discardableResult
    func screenshot(_ name: String) async throws -> String {
        let path = venue.directory.file(name)
        let child = try await run("screenshot", "--output", path)
        guard try await child.exitCode(within: .zero) == 0 else { throw VenueError("no screenshot: \(child.messages)") }
        return path
    }

    func events() throws -> EventReader {
        EventReader(try venue.start([client, "--socket", socket, "events", "--follow", "--json"], name: "events"))
    }

    // MARK: What the kernel knows of it

    var descriptorCount: Int { get throws { try FileManager.default.contentsOfDirectory(atPath: proc("fd")).count } }

    var threadNames: [String] {
        get throws {
            try FileManager.default.contentsOfDirectory(atPath: proc("task")).compactMap { task in
                // A thread may end between the two readings.
                (try? String(contentsOfFile: proc("task/\(task)/comm"), encoding: .utf8))?
                    .trimmingCharacters(in: .newlines)
            }
        }
    }

    var residentKilobytes: Int {
        get throws {
            let status = try String(contentsOfFile: proc("status"), encoding: .utf8)
            let line = status.split(separator: "\n").first { $0.hasPrefix("VmRSS:") }
            guard let value = line?.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap({ Int($0) }) else {
                throw VenueError("no VmRSS")
            }
            return value
        }
    }

    /// Number of heaps in which malloc keeps small blocks, but for that of `brk`: each begins at a whole 64 MiB (glibc's
    /// `HEAP_MAX_SIZE`).
    var arenaCount: Int {
        get throws {
            let maps = try String(contentsOfFile: proc("maps"), encoding: .utf8)
            return maps.split(separator: "\n").count { line in
                let fields = line.split(whereSeparator: \.isWhitespace)
                guard fields.count == 5, fields[1] == "rw-p", let end = fields[0].firstIndex(of: "-") else {
                    return false
                }
                return Int(fields[0][..<end], radix: 16).map { $0 % (64 << 20) == 0 } ?? false
            }
        }
    }

    private func proc(_ name: String) -> String { "/proc/\(process.id)/\(name)" }
}
