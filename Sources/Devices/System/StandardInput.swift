// SPDX-License-Identifier: Apache-2.0
import Glibc
import Time

/// Standard input, read as it is typed.
public enum StandardInput {
    public static let descriptor: CInt = STDIN_FILENO

    /// Whether standard input is a terminal.
    public static var isTerminal: Bool { isatty(descriptor) == 1 }

    /// Everything up to the end of standard input; nil if that is more than `limit` octets.
    public static func readAll(limit: Int) -> [UInt8]? {
        var octets: [UInt8] = []
        while octets.count <= limit {
            let piece = read()
            if piece.isEmpty { return octets }
            octets += piece
        }
        return nil
    }

    /// Waits for input and returns what there is; empty at its end and when it cannot be read.
    public static func read() -> [UInt8] {
        var buffer = [UInt8](repeating: 0, count: 256)
        let count = Glibc.read(descriptor, &buffer, buffer.count)
        return Array(buffer.prefix(max(0, count)))
    }

    /// Reads what comes and forgets it, until nothing has come for a while.
    /// - Parameter limit: after which it gives up.
    public static func discard(untilQuietFor pause: Nanoseconds, atMost limit: Nanoseconds) throws(SystemCallError) {
        let (wait, end) = (try DescriptorWait(), SystemClock.monotonic() + limit)
        while SystemClock.monotonic() < end, wait.wait(for: [descriptor], until: SystemClock.monotonic() + pause) {
            if read().isEmpty { return }
        }
    }
}
