// SPDX-License-Identifier: Apache-2.0
import System
import Time
import Venue

/// Sends a file to whoever is at the other end of a terminal, by ZMODEM: the program `sz` of lrzsz.
enum TerminalTransfer {
    private static let program = "/usr/bin/sz"

    /// Whether a terminal is at both ends of this program.
    static var canSend: Bool { StandardStream.output.isTerminal && StandardInput.isTerminal }

    /// - Parameter name: without a slash; the file has it at the other end.
    static func send(_ octets: [UInt8], named name: String) throws {
        // The program reads files only. Whoever was interrupted asks it for the rest, so that it has to have all.
        let directory = try TemporaryDirectory()
        let path = "\(directory.path)/\(name)"
        try DurableFile.create(path, with: octets)
        defer { DurableFile.remove(path) }
        let code: Int32
        do throws(SystemCallError) {
            code = try SystemProgram.runAtTerminal(program, ["--binary", "--quiet", "--resume", path])
        } catch {
            let isMissing = error.code == .notFound
            throw Status.failure(
                .failed, isMissing ? "\(program) is not installed (lrzsz); expected --output PATH" : "\(error)")
        }
        // What the other end still says of the file is no command.
        try StandardInput.discard(untilQuietFor: .seconds(1), atMost: .seconds(5))
        guard code == 0 else {
            throw Status.failure(
                .failed, "\(name) was not taken whole; what the other end has of it stays of use, and it can ask again")
        }
    }
}
