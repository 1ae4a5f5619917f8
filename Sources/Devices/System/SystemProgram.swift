// SPDX-License-Identifier: Apache-2.0
import CSystemShims
import Glibc
import Time

/// A program of the system that is run to its end.
public enum SystemProgram {
    /// What came of it.
    public struct Outcome: Equatable, Sendable {
        /// The exit code, or 128 plus the number of the signal that ended it.
        public let code: Int32
        /// What it wrote to its standard output, up to the limit.
        public let output: [UInt8]

        public init(code: Int32, output: [UInt8] = []) {
            self.code = code
            self.output = output
        }
    }

    /// Runs a program that reads nothing, and waits for its end.
    /// - Parameters:
    ///   - path: absolute.
    ///   - words: the arguments without the program's name; they contain no NUL.
    ///   - limit: octets of output that are kept.
    ///   - patience: after which it is killed.
    /// - Thread: any that may wait.
    public static func run(
        _ path: String, _ words: [String], keeping limit: Int = 65_536, within patience: Nanoseconds
    ) throws(SystemCallError) -> Outcome {
        var (readEnd, writeEnd): (CInt, CInt) = (-1, -1)
        _ = try syscall("pipe") { touchline_pipe(&readEnd, &writeEnd) }
        let reading = FileDescriptor(adopting: readEnd)
        let started = Result { () throws(SystemCallError) in
            try start(path, words, reading: -1, writing: writeEnd)
        }
        close(writeEnd)
        let child = try started.get()
        let deadline = SystemClock.monotonic() + patience
        var output: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 4_096)
        var isKilled = false
        while true {
            let left = max(.zero, deadline - SystemClock.monotonic())
            var polled = pollfd(fd: reading.rawValue, events: Int16(POLLIN), revents: 0)
            let ready = poll(&polled, 1, CInt(clamping: left.count / 1_000_000 + 1))
            if ready == 0, left == .zero {
                // What it has started may hold the pipe, so that its end is not waited for again.
                kill(child, SIGKILL)
                isKilled = true
                break
            }
            guard ready > 0 else { continue }
            let descriptor = reading.rawValue
            let count = try syscall("read") { Glibc.read(descriptor, &piece, piece.count) }
            guard count > 0 else { break }
            output += piece.prefix(min(count, limit - output.count))
        }
        return Outcome(code: try end(of: child, until: isKilled ? nil : deadline), output: output)
    }

    /// Runs a program that has the streams of this process, and waits for its end.
    /// - Parameters: as of `run`.
    /// - Returns: its exit code, or 128 plus the number of the signal that ended it.
    /// - Thread: any that may wait.
    public static func runAtTerminal(_ path: String, _ words: [String]) throws(SystemCallError) -> Int32 {
        try end(of: try start(path, words, reading: STDIN_FILENO, writing: -1), until: nil)
    }

    private static func start(
        _ path: String, _ words: [String], reading input: CInt, writing output: CInt
    ) throws(SystemCallError) -> pid_t {
        var arguments: [UnsafeMutablePointer<CChar>?] = ([path] + words).map { strdup($0) }
        defer { for argument in arguments { free(argument) } }
        arguments.append(nil)
        var child: pid_t = 0
        let code = touchline_spawn(path, arguments, input, output, &child)
        guard code == 0 else { throw SystemCallError("posix_spawn \(path)", Errno(rawValue: code)) }
        return child
    }

    /// Waits for the end of a program, and kills it at the deadline.
    /// - Parameter deadline: nil if there is none, or it was killed already.
    private static func end(of child: pid_t, until deadline: Monotonic?) throws(SystemCallError) -> Int32 {
        var status: Int32 = 0
        var deadline = deadline
        while let instant = deadline {
            let ended = try syscall("waitpid") { waitpid(child, &status, WNOHANG) }
            if ended == child { return code(of: status) }
            if SystemClock.monotonic() >= instant {
                kill(child, SIGKILL)
                deadline = nil
            } else {
                SystemClock.sleep(until: SystemClock.monotonic() + .milliseconds(2))
            }
        }
        _ = try syscall("waitpid") { waitpid(child, &status, 0) }
        return code(of: status)
    }

    private static func code(of status: Int32) -> Int32 {
        status & 0x7f == 0 ? status >> 8 & 0xff : 128 + status & 0x7f
    }
}
