// SPDX-License-Identifier: Apache-2.0
import CSystemShims
import Glibc

/// The terminal at standard output.
public enum Terminal {
    /// Size in characters; nil if standard output is no terminal or its size is unknown.
    public static var size: (columns: Int, rows: Int)? {
        var (columns, rows) = (UInt16(0), UInt16(0))
        guard touchline_terminal_size(STDOUT_FILENO, &columns, &rows) == 0, columns > 0, rows > 0 else { return nil }
        return (Int(columns), Int(rows))
    }

    /// Turns off echo and line buffering, so that keys are read one by one. A crash of the process restores the
    /// terminal.
    /// - Parameter ending: written when the terminal is restored.
    public static func take(ending: StaticString) throws(SystemCallError) {
        precondition(ending.hasPointerRepresentation)
        let text = UnsafeRawPointer(ending.utf8Start).assumingMemoryBound(to: CChar.self)
        _ = try syscall("tcsetattr") { touchline_terminal_take(STDOUT_FILENO, text) }
    }

    /// Writes the ending and restores the terminal; does nothing if it was not taken.
    public static func giveBack() { touchline_terminal_release() }
}
