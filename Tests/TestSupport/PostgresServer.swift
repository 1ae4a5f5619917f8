// SPDX-License-Identifier: Apache-2.0
import Foundation

/// A server of PostgreSQL with nothing in it, in a directory of its own and on a Unix socket alone. It ends with the process that
/// made it, in whatever way that ends.
public final class PostgresServer: @unchecked Sendable {  // what changes is `input`, in deinit
    /// Where its socket is.
    public let directory: String
    private let programs: String
    private let input = Pipe()
    private let process = Process()

    /// Says so when PostgreSQL is not installed; where peers are required, the tests run and fail.
    public static let isThere: Bool = {
        if programs != nil { return true }
        print("SKIP: /usr/lib/postgresql/*/bin/initdb is not there (postgresql)")
        return ProcessInfo.processInfo.environment["TOUCHLINE_REQUIRE_PEERS"] == "1"
    }()

    /// The one of all tests that only need databases of their own.
    public static let shared = Result { try PostgresServer() }

    private static let programs: String? = {
        let root = "/usr/lib/postgresql"
        let versions = (try? FileManager.default.contentsOfDirectory(atPath: root)) ?? []  // none: it is not installed
        return versions.sorted { (Int($0) ?? 0) > (Int($1) ?? 0) }.map { "\(root)/\($0)/bin" }.first {
            FileManager.default.isExecutableFile(atPath: $0 + "/initdb")
        }
    }()

    private struct Failure: Error, CustomStringConvertible { let description: String }

    /// The server runs as nobody, because it refuses root; `read` returns when the writing end of its input has gone.
    private static let guardian = """
        set -u
        dir=$1 bin=$2; shift 2
        as=
        [ "$(id -u)" = 0 ] && as="setpriv --reuid=65534 --regid=65534 --clear-groups --"
        mkdir -m 700 "$dir" || exit 1
        [ -n "$as" ] && chown 65534:65534 "$dir"
        cd "$dir"
        $as "$bin/initdb" -D "$dir/data" -A trust -U touchline -E UTF8 --locale=C --no-sync --no-instructions >"$dir/log" 2>&1 || {
            cat "$dir/log"; rm -rf "$dir"; exit 1; }
        $as "$bin/postgres" -D "$dir/data" -k "$dir" -c listen_addresses= -c fsync=off -c shared_buffers=16MB "$@" \
            >>"$dir/log" 2>&1 </dev/null & server=$!
        tries=0
        until "$bin/pg_isready" -q -h "$dir"; do
            tries=$((tries + 1)); [ $tries -gt 300 ] && { cat "$dir/log"; break; }
            sleep 0.1
        done
        echo ready
        read -r nothing
        kill -QUIT $server 2>/dev/null
        wait $server
        rm -rf "$dir"
        """

    /// - Parameter options: as the server takes them.
    public init(_ options: [String] = []) throws {
        guard let programs = Self.programs else { throw Failure(description: "PostgreSQL is not installed") }
        self.programs = programs
        directory = "/tmp/touchline-postgres-\(UInt32.random(in: 0 ... .max))"
        let output = Pipe()
        process.executableURL = URL(fileURLWithPath: "/bin/sh")
        process.arguments = ["-c", Self.guardian, "sh", directory, programs] + options
        // Other children must not keep it open.
        for handle in [input.fileHandleForWriting, output.fileHandleForReading] {
            _ = fcntl(handle.fileDescriptor, F_SETFD, FD_CLOEXEC)
        }
        process.standardInput = input
        process.standardOutput = output
        try process.run()
        let text = String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
        guard text.hasPrefix("ready") else { throw Failure(description: "PostgreSQL does not start: \(text)") }
    }

    deinit { try? input.fileHandleForWriting.close() }  // the process ends, and that closes it, too

    /// A new database.
    /// - Returns: its address for libpq.
    public func makeDatabase() throws -> String {
        let name = "d\(UInt64.random(in: 0 ... .max))"
        try run("createdb", [name])
        return address(of: name)
    }

    public func address(of database: String) -> String { "host=\(directory) user=touchline dbname=\(database)" }

    /// Carries out statements, or another of its programs.
    public func run(_ program: String, _ words: [String]) throws {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "\(programs)/\(program)")
        process.arguments = ["-h", directory, "-U", "touchline"] + words
        process.standardOutput = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else { throw Failure(description: "\(program) \(words) fails") }
    }
}
