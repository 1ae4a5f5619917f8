// SPDX-License-Identifier: Apache-2.0
import Glibc

/// The streams that a process is born with.
public enum StandardStream: Sendable {
    case output, error

    private var descriptor: CInt { self == .output ? STDOUT_FILENO : STDERR_FILENO }

    public var isTerminal: Bool { isatty(descriptor) == 1 }

    /// `NO_COLOR` is set and not empty.
    public static var refusesColour: Bool { getenv("NO_COLOR").map { $0.pointee != 0 } ?? false }

    /// `TERM` says that the terminal can print lines only, or there is none.
    public static var isDumb: Bool {
        guard let name = getenv("TERM") else { return true }
        return name.pointee == 0 || strcmp(name, "dumb") == 0
    }

    /// Writes everything, in one call where the other end takes it: lines of several threads do not mix.
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
