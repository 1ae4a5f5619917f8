// SPDX-License-Identifier: Apache-2.0
import CSystemShims
import Glibc

/// This program, run again with other arguments.
/// - Thread: one.
public final class ChildProcess {
    /// What becomes of its output.
    public enum Output: Sendable {
        /// It has the streams of this process, standard input included.
        case terminal
        /// It has the output streams of this process, and reads nothing.
        case streams
        /// `read` brings its standard output. Its messages go where those of this process go.
        case captured
        /// `read` brings its standard output, and its messages among it.
        case capturedWithMessages
    }

    private let child: pid_t
    private let reading: FileDescriptor?
    /// The descriptor that `read` reads; nil if the output is not captured.
    public let descriptor: CInt?
    private var buffer = [UInt8](repeating: 0, count: 4_096)

    /// - Parameters:
    ///   - words: the arguments without the program's name; they contain no NUL.
    ///   - environment: further variables, as NAME=VALUE.
    public init(_ words: [String], environment: [String] = [], output: Output) throws(SystemCallError) {
        var arguments: [UnsafeMutablePointer<CChar>?] = ([CommandLine.arguments.first ?? ""] + words).map { strdup($0) }
        var variables: [UnsafeMutablePointer<CChar>?] = environment.map { strdup($0) }
        defer { for text in arguments + variables { free(text) } }
        arguments.append(nil)
        variables.append(nil)
        var (readEnd, writeEnd): (CInt, CInt) = (-1, -1)
        if output == .captured || output == .capturedWithMessages {
            _ = try syscall("pipe") { touchline_pipe(&readEnd, &writeEnd) }
        }
        var child: pid_t = 0
        let code = touchline_spawn_self(
            arguments, variables, output == .terminal ? STDIN_FILENO : -1, writeEnd,
            output == .capturedWithMessages ? writeEnd : -1, &child)
        if writeEnd >= 0 { close(writeEnd) }
        guard code == 0 else {
            if readEnd >= 0 { close(readEnd) }
            throw SystemCallError("posix_spawn", Errno(rawValue: code))
        }
        self.child = child
        reading = readEnd >= 0 ? FileDescriptor(adopting: readEnd) : nil
        descriptor = readEnd >= 0 ? readEnd : nil
    }

    /// Waits for output and returns what there is; empty at its end.
    public func read() -> [UInt8] {
        guard let descriptor else { return [] }
        while true {
            let count = Glibc.read(descriptor, &buffer, buffer.count)
            if count < 0, Errno.current == .interrupted { continue }
            return Array(buffer.prefix(max(0, count)))
        }
    }

    /// Sends SIGINT, as Ctrl-C does.
    public func interrupt() { kill(child, SIGINT) }

    public func kill() { kill(child, SIGKILL) }

    private func kill(_ child: pid_t, _ signal: CInt) { _ = Glibc.kill(child, signal) }

    /// Waits until it has exited. To be called once.
    /// - Returns: its exit code, or 128 plus the number of the signal that ended it.
    public func wait() throws(SystemCallError) -> Int32 {
        var status: Int32 = 0
        _ = try syscall("waitpid") { waitpid(child, &status, 0) }
        return status & 0x7f == 0 ? status >> 8 & 0xff : 128 + status & 0x7f
    }
}
