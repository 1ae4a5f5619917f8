// SPDX-License-Identifier: Apache-2.0
import Glibc

/// What is typed.
public enum StandardInput {
    public static let descriptor: CInt = STDIN_FILENO

    /// Whether somebody can type there.
    public static var isTerminal: Bool { isatty(descriptor) == 1 }

    /// What is there, waiting for something; empty at the end and when it cannot be read.
    public static func read() -> [UInt8] {
        var buffer = [UInt8](repeating: 0, count: 256)
        let count = Glibc.read(descriptor, &buffer, buffer.count)
        return Array(buffer.prefix(max(0, count)))
    }
}
