// SPDX-License-Identifier: Apache-2.0

/// A key that was pressed at a terminal.
public enum TerminalKey: Equatable, Sendable {
    /// A scalar that can be shown, which may combine with the one before.
    case text(Unicode.Scalar)
    case enter
    case tab
    case backspace
    case delete
    /// A control key by its letter, for example `C`; those with a meaning of their own above are not among them.
    case control(Unicode.Scalar)
    case left, right, up, down, home, end
    case wordLeft, wordRight
    /// Removes the word before the cursor, and the one behind it.
    case removeWordLeft, removeWordRight
}
