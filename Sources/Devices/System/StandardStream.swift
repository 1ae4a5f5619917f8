// SPDX-License-Identifier: Apache-2.0
import Glibc

/// The output streams that a process starts with.
public enum StandardStream: Sendable {
    case output, error

    private var descriptor: CInt { self == .output ? STDOUT_FILENO : STDERR_FILENO }

    public var isTerminal: Bool { isatty(descriptor) == 1 }

    /// Whether `NO_COLOR` is set and not empty.
    public static var refusesColour: Bool { getenv("NO_COLOR").map { $0.pointee != 0 } ?? false }

    /// Whether `TERM` is "dumb", empty or not set: the terminal can only print lines.
    public static var isDumb: Bool {
        guard let name = getenv("TERM") else { return true }
        return name.pointee == 0 || strcmp(name, "dumb") == 0
    }

    /// Writes all octets, in one call if the other end takes them, so that lines of several threads do not mix.
    public func write(_ octets: [UInt8]) throws(SystemCallError) {
        var rest = octets[...]
        while !rest.isEmpty {
            let count = try syscall("write") {
                rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            }
            rest = rest.dropFirst(count)
        }
    }
}
