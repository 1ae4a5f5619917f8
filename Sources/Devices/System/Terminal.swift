// SPDX-License-Identifier: Apache-2.0
import CSystemShims
import Glibc

/// The terminal that standard output is.
public enum Terminal {
    /// Nil when it is none, or has no size.
    public static var size: (columns: Int, rows: Int)? {
        var (columns, rows) = (UInt16(0), UInt16(0))
        guard touchline_terminal_size(STDOUT_FILENO, &columns, &rows) == 0, columns > 0, rows > 0 else { return nil }
        return (Int(columns), Int(rows))
    }

    /// Keys are read one by one and unseen from now on. A process that crashes gives the terminal back.
    /// - Parameter ending: what is written then.
    public static func take(ending: StaticString) throws(SystemCallError) {
        precondition(ending.hasPointerRepresentation)
        let text = UnsafeRawPointer(ending.utf8Start).assumingMemoryBound(to: CChar.self)
        _ = try syscall("tcsetattr") { touchline_terminal_take(STDOUT_FILENO, text) }
    }

    /// Writes the ending and makes the terminal as it was before it was taken; nothing when it was not.
    public static func giveBack() { touchline_terminal_release() }
}
