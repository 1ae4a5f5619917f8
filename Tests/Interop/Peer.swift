// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

/// A program that knows nothing of us.
enum Peer: String {
    case ffmpeg, vlc, ip, curl, chromium, schemathesis
    /// A library; `EventInformation` looks for it.
    case libdvbpsi
    /// Python's library of that name.
    case websockets

    /// Says so when it is not, and where peers are required the test runs and fails.
    var isThere: Bool {
        if let program = Self.find(program), self != .websockets || Self.imports(rawValue, in: program) { return true }
        print("SKIP: \(rawValue) is not installed")
        return Self.areRequired
    }

    /// Of the program.
    var path: String { Self.find(program) ?? program }

    private var program: String {
        switch self {
        case .vlc: "cvlc"
        case .websockets: "python3"
        default: rawValue
        }
    }

    /// In `TOUCHLINE_PEERS`, a Python environment for those that no distribution has, else by `PATH`.
    private static func find(_ program: String) -> String? {
        let environment = ProcessInfo.processInfo.environment
        let directories =
            (environment["TOUCHLINE_PEERS"].map { ["\($0)/bin"] } ?? [])
            + (environment["PATH"] ?? "").split(separator: ":").map(String.init) + ["/usr/sbin"]
        return directories.map { "\($0)/\(program)" }.first { FileManager.default.isExecutableFile(atPath: $0) }
    }

    private static func imports(_ library: String, in python: String) -> Bool {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: python)
        process.arguments = ["-c", "import \(library)"]
        process.standardError = FileHandle.nullDevice
        do {
            try process.run()
        } catch {
            return false
        }
        process.waitUntilExit()
        return process.terminationStatus == 0
    }

    /// What makes a network namespace.
    static var hasNamespaces: Bool {
        if getuid() == 0 { return Peer.ip.isThere }
        print("SKIP: a network namespace needs root")
        return areRequired
    }

    private static var areRequired: Bool { ProcessInfo.processInfo.environment["TOUCHLINE_REQUIRE_PEERS"] == "1" }

    /// For the table of peers at the end of a test run.
    func log(test: String, checks: Int) throws {
        guard let path = ProcessInfo.processInfo.environment["TOUCHLINE_PEER_LOG"] else { return }
        if !FileManager.default.fileExists(atPath: path) {
            #expect(FileManager.default.createFile(atPath: path, contents: nil))
        }
        let file = try FileHandle(forWritingTo: URL(fileURLWithPath: path))
        defer { file.closeFile() }
        try file.seekToEnd()
        try file.write(contentsOf: Data("\(rawValue)\t\(test)\t\(checks)\n".utf8))
    }
}
