// SPDX-License-Identifier: Apache-2.0
import Foundation

/// A program that this test started and ends again, by its id.
final class ChildProcess {
    let name: String
    private let process = Process()
    private let outputPath: String
    private let messagesPath: String

    /// - Parameters:
    ///   - command: the program, by path or by `PATH`, and its arguments.
    ///   - directory: where its output goes.
    ///   - input: of its standard input; nil: nothing.
    init(_ command: [String], name: String, in directory: TemporaryDirectory, input: FileHandle? = nil) throws {
        self.name = name
        let stem = directory.file("\(name)-\(UInt32.random(in: 0 ... .max))")
        outputPath = stem + ".out"
        messagesPath = stem + ".log"
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = command
        process.standardInput = input ?? FileHandle.nullDevice
        let (output, messages) = (try Self.newFile(outputPath), try Self.newFile(messagesPath))
        (process.standardOutput, process.standardError) = (output, messages)
        // Foundation keeps them open else, and reads beyond its memory when it starts a child while a thousand are.
        defer { for file in [output, messages] { file.closeFile() } }
        try Self.withoutBlockedSignals { try process.run() }
    }

    /// A child inherits the mask, and threads of tasks block nearly all: it would not hear SIGTERM.
    private static func withoutBlockedSignals(_ body: () throws -> Void) rethrows {
        var (none, before) = (sigset_t(), sigset_t())
        sigemptyset(&none)
        pthread_sigmask(SIG_SETMASK, &none, &before)
        defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
        try body()
    }

    private static func newFile(_ path: String) throws -> FileHandle {
        guard FileManager.default.createFile(atPath: path, contents: nil) else {
            throw VenueError("\(path) cannot be written")
        }
        return try FileHandle(forWritingTo: URL(fileURLWithPath: path))
    }

    var id: Int32 { process.processIdentifier }
    var isRunning: Bool { process.isRunning }
    var output: Data { FileManager.default.contents(atPath: outputPath) ?? Data() }
    var outputText: String { String(decoding: output, as: UTF8.self) }
    /// What it wrote to standard error.
    var messages: String {
        String(decoding: FileManager.default.contents(atPath: messagesPath) ?? Data(), as: UTF8.self)
    }

    /// Output from an octet on; empty when there is none yet.
    func output(from offset: Int) throws -> Data {
        let file = try FileHandle(forReadingFrom: URL(fileURLWithPath: outputPath))
        defer { file.closeFile() }
        try file.seek(toOffset: UInt64(offset))
        return file.readDataToEndOfFile()
    }

    func signal(_ number: Int32) {
        if process.isRunning { kill(process.processIdentifier, number) }
    }

    /// - Returns: the exit code, or the number of the signal that ended it, negative.
    func exitCode(within limit: Duration) async throws -> Int32 {
        guard try await eventually(within: limit, { !process.isRunning }) else {
            throw VenueError("\(name) still runs after \(limit)\n\(messages)")
        }
        return process.terminationReason == .exit ? process.terminationStatus : -process.terminationStatus
    }

    /// Asks it to end, and ends it when it does not.
    func end() async throws {
        signal(SIGTERM)
        if try await !eventually(within: .seconds(5), { !process.isRunning }) {
            signal(SIGKILL)
            _ = try await exitCode(within: .seconds(5))
        }
    }
}
