// SPDX-License-Identifier: Apache-2.0
import Foundation
import JSON
import Testing

/// The service with a state directory that is the same before each try of a change.
final class SettingsCommitRun {
    private let commit: SettingsCommit
    private let venue: TestVenue
    private let image: String
    private let installed: String
    private let state: String
    private let template: String
    private var starts = 0

    init(_ commit: SettingsCommit, in venue: TestVenue) throws {
        self.commit = commit
        self.venue = venue
        image = try venue.directory.write(#"{"http":{"isEnabled":false},"announcements":{"groups":[]}}"#, to: "image")
        installed = venue.directory.file("installed")
        if commit.hasInstalledFile { _ = try venue.directory.write(SettingsCommit.installed.text(), to: "installed") }
        state = venue.directory.file("state")
        template = venue.directory.file("template")
    }

    // MARK: The state directory

    /// Makes what each try starts from.
    func prepare() async throws {
        guard commit.change != nil else { return }
        let (process, socket) = try await listening()
        for number in 0..<commit.earlier { _ = try socket.ask("config-merge", SettingsCommit.earlier(number + 1)) }
        try await kill(process)
        try FileManager.default.moveItem(atPath: state, toPath: template)
    }

    func restore() throws {
        if FileManager.default.fileExists(atPath: state) { try FileManager.default.removeItem(atPath: state) }
        guard commit.change != nil else { return }
        try FileManager.default.copyItem(atPath: template, toPath: state)
    }

    /// Files that a write which was cut off has left.
    func temporaryFiles() throws -> [String] {
        try FileManager.default.subpathsOfDirectory(atPath: state).filter { path in
            let name = path.split(separator: "/").last ?? ""
            let isRevision = name.hasSuffix(".json") && Int(name.dropLast(5)) != nil
            return !isRevision
                && ![
                    "box-id", "certificate.pem", "settings", "imported.json", "lock", "starts",
                ].contains(name)
                && !path.hasPrefix("audit")
        }
    }

    // MARK: The service

    /// The settings with all defaults.
    func settings(_ socket: ControlSocket) throws -> JSONValue { try socket.ask("config").result["config"] ?? .null }

    func kill(_ process: ChildProcess) async throws {
        process.signal(SIGKILL)
        _ = try await process.exitCode(within: .seconds(5))
    }

    /// Starts the service, and waits until it answers.
    func listening(through entry: [String] = []) async throws -> (ChildProcess, ControlSocket) {
        let (process, socket) = try await start(through: entry)
        guard let socket else { throw VenueError("the service does not answer") }
        return (process, socket)
    }

    /// - Returns: no socket if the service ended before it answered.
    private func start(through entry: [String]) async throws -> (ChildProcess, ControlSocket?) {
        starts += 1
        let path = venue.directory.file("s\(starts)")
        let command = [
            try Programs.path("touchlined"), "--image", image, "--config", installed, "--state", state, "--socket",
            path,
        ]
        let process = try venue.start(entry + command, name: "box\(starts)")
        var opened: ControlSocket?
        _ = try await eventually(within: .seconds(10)) {
            guard process.isRunning else { return true }
            opened = try? ControlSocket(path)  // refused until the service listens
            return opened != nil
        }
        return (process, opened)
    }

    /// Makes the change unharmed.
    /// - Returns: the settings before and after it, and its steps.
    func record() async throws -> (before: JSONValue, after: JSONValue, steps: [FileChange]) {
        try restore()
        let trace = venue.directory.file("trace")
        let (process, socket) = try await listening(through: FileChange.recording(to: trace))
        let before = try settings(socket)
        if let change = commit.change { _ = try socket.ask(change.command, change.arguments) }
        let after = try settings(socket)
        try await kill(process)
        let end = ["\(process.id)", "+++", "killed"]
        var text = ""
        let isWhole = try await eventually(within: .seconds(5)) {
            text = try String(contentsOfFile: trace, encoding: .utf8)
            return text.split(separator: "\n").contains { $0.split(separator: " ").map(String.init).starts(with: end) }
        }
        guard isWhole else { throw VenueError("the trace is not whole: \(text.suffix(500))") }
        return (before, after, FileChange.changes(in: text, below: state).filter { !$0.isOfOthers })
    }

    /// Makes the change once more, and is killed at a step of it.
    /// - Returns: whether the client was told that it is accepted.
    func fail(at step: FileChange) async throws -> Bool {
        try restore()
        let trace = venue.directory.file("killed")
        let (process, socket) = try await start(through: step.killing(trace: trace))
        var isAccepted = false
        if let socket, let change = commit.change {
            // It throws when the service is killed before it answers.
            isAccepted = (try? socket.ask(change.command, change.arguments)) != nil
        }
        let code = try await process.exitCode(within: .seconds(20))
        #expect(code == -SIGKILL, "\(commit.name): \(step) was not reached: \(process.messages)")
        return isAccepted
    }
}

extension FileChange {
    /// Whether it is of the count of starts or of the audit, which go on beside a change: `SettingsProofTests` and
    /// `AuditTrailTests` are about those.
    fileprivate var isOfOthers: Bool {
        path.contains("/starts") || path.hasSuffix("/lock") || path.contains("/audit")
    }
}
