// SPDX-License-Identifier: Apache-2.0
import Foundation

/// The program openssl, which makes keys, signs and checks signatures, and knows nothing of us.
public enum OpenSSLPeer {
    /// For `.enabled(if:)`.
    public static let isThere = Required.file("openssl")

    /// openssl ended with this code.
    public struct Failure: Error {
        public let arguments: [String]
        public let status: Int32
    }

    /// A new Ed25519 key pair, as PEM.
    public static func makeKeys() throws -> (private: String, public: String) {
        let directory = try Directory()
        let key = directory.path("key.pem")
        try run("genpkey", "-algorithm", "ed25519", "-out", key)
        let verifying = directory.path("public.pem")
        try run("pkey", "-in", key, "-pubout", "-out", verifying)
        return (
            try String(contentsOfFile: key, encoding: .utf8), try String(contentsOfFile: verifying, encoding: .utf8)
        )
    }

    public static func signature(of message: [UInt8], key: String) throws -> [UInt8] {
        let directory = try Directory()
        let (pem, text, signature) = (directory.path("key"), directory.path("message"), directory.path("signature"))
        try Data(key.utf8).write(to: URL(filePath: pem))
        try Data(message).write(to: URL(filePath: text))
        try run("pkeyutl", "-sign", "-rawin", "-inkey", pem, "-in", text, "-out", signature)
        return Array(try Data(contentsOf: URL(filePath: signature)))
    }

    public static func isSignature(_ signature: [UInt8], of message: [UInt8], key: String) throws -> Bool {
        let directory = try Directory()
        let (pem, text, sig) = (directory.path("key"), directory.path("message"), directory.path("signature"))
        try Data(key.utf8).write(to: URL(filePath: pem))
        try Data(message).write(to: URL(filePath: text))
        try Data(signature).write(to: URL(filePath: sig))
        let arguments = ["pkeyutl", "-verify", "-rawin", "-pubin", "-inkey", pem, "-in", text, "-sigfile", sig]
        return try status(arguments) == 0
    }

    /// A directory that goes with its owner.
    private final class Directory {
        private let url: URL

        init() throws {
            url = FileManager.default.temporaryDirectory.appending(path: "touchline-openssl-\(UUID())")
            try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
        }
        deinit { try? FileManager.default.removeItem(at: url) }  // a leftover in /tmp hurts nobody

        func path(_ name: String) -> String { url.appending(path: name).path }
    }

    private static func run(_ arguments: String...) throws {
        let status = try status(arguments)
        guard status == 0 else { throw Failure(arguments: arguments, status: status) }
    }

    private static func status(_ arguments: [String]) throws -> Int32 {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = ["openssl"] + arguments
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        process.standardInput = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        return process.terminationStatus
    }
}
