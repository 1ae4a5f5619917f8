// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

/// A program that knows nothing of us.
enum Peer: String {
    case ffmpeg, vlc, ip, chromium

    /// Says so when it is not, and where peers are required the test runs and fails.
    var isThere: Bool {
        let program = self == .vlc ? "cvlc" : rawValue
        let path = (ProcessInfo.processInfo.environment["PATH"] ?? "") + ":/usr/sbin"
        let directories: [Substring] = path.split(separator: ":")
        if directories.contains(where: { FileManager.default.isExecutableFile(atPath: "\($0)/\(program)") }) {
            return true
        }
        print("SKIP: \(program) is not installed")
        return Self.areRequired
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
