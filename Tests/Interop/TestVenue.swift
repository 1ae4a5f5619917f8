// SPDX-License-Identifier: Apache-2.0
import Foundation
import JSON
import Testing

/// Where one test happens: a directory, the programs started there, perhaps a network of its own. All gone at its end.
final class TestVenue {
    let directory: TemporaryDirectory
    /// In front of every command: enters the network namespace.
    private var entry: [String] = []
    private var children: [ChildProcess] = []

    private init() throws { directory = try TemporaryDirectory() }

    /// - Parameter ownNetwork: a network namespace whose multicast goes to loopback; needs root.
    static func open(ownNetwork: Bool = false, _ body: (TestVenue) async throws -> Void) async throws {
        let venue = try TestVenue()
        do {
            if ownNetwork { try await venue.enterOwnNetwork() }
            try await body(venue)
        } catch {
            let logs = venue.children.map { "--- \($0.name)\n\($0.messages.suffix(2_000))" }
            Issue.record("\(error)\n\(logs.joined(separator: "\n"))")
        }
        for child in venue.children.reversed() {
            do { try await child.end() } catch { Issue.record("\(error)") }
        }
        venue.directory.remove()
    }

    private func enterOwnNetwork() async throws {
        let network = "ip link set lo up && ip route add 224.0.0.0/4 dev lo src 127.0.0.1 && echo up && exec sleep 3600"
        let keeper = try start(["unshare", "--net", "sh", "-c", network], name: "network")
        guard try await eventually(within: .seconds(5), { keeper.outputText == "up\n" }) else {
            throw VenueError("no network namespace: \(keeper.messages)")
        }
        entry = ["nsenter", "--net=/proc/\(keeper.id)/ns/net"]
    }

    @discardableResult
    func start(_ command: [String], name: String, input: FileHandle? = nil) throws -> ChildProcess {
        let child = try ChildProcess(entry + command, name: name, in: directory, input: input)
        children.append(child)
        return child
    }

    /// Runs a command to its end.
    func run(_ command: [String], within limit: Duration = .seconds(10)) async throws -> ChildProcess {
        let child = try ChildProcess(entry + command, name: "command", in: directory)
        do {
            _ = try await child.exitCode(within: limit)
        } catch {
            try await child.end()
            throw error
        }
        return child
    }

    /// Runs a command that must succeed.
    @discardableResult
    func succeed(_ command: [String], within limit: Duration = .seconds(60)) async throws -> ChildProcess {
        let child = try await run(command, within: limit)
        guard try await child.exitCode(within: .zero) == 0 else {
            throw VenueError("\(command.joined(separator: " "))\n\(child.messages)")
        }
        return child
    }

    /// Starts our head-end.
    func headEnd(_ configuration: JSONValue) throws -> ChildProcess {
        let path = try directory.write(configuration.text(), to: "headend-\(UInt32.random(in: 0 ... .max)).json")
        return try start([try Programs.path("touchline-streamer"), "--config", path], name: "streamer")
    }
}

/// The programs under test: of `TOUCHLINE_RELEASE_BIN`, else beside this test's own.
enum Programs {
    /// The path of a program. Its name is added to the file that `TOUCHLINE_PROGRAM_LOG` names: whoever runs the tests
    /// learns which of them a change of that program concerns.
    static func path(_ name: String) throws -> String {
        if let log = ProcessInfo.processInfo.environment["TOUCHLINE_PROGRAM_LOG"] {
            let file = open(log, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0o644)
            let line = Array("\(name)\n".utf8)
            guard file >= 0, write(file, line, line.count) == line.count else { throw VenueError("\(log): \(errno)") }
            close(file)
        }
        let beside = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent().path
        let directory = ProcessInfo.processInfo.environment["TOUCHLINE_RELEASE_BIN"] ?? beside
        let path = directory + "/" + name
        guard FileManager.default.isExecutableFile(atPath: path) else { throw VenueError("no program \(path)") }
        return path
    }
}

/// A multicast group that no other test uses, as far as chance can see to it.
struct Group {
    let address = "239.\(Int.random(in: 64...127)).\(Int.random(in: 0...255)).\(Int.random(in: 1...254))"
    let port = Int.random(in: 10_000...14_999) * 2

    var json: JSONValue { ["address": .string(address), "port": .integer(Int64(port))] }
}
