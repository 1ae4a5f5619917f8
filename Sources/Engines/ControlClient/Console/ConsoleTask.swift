// SPDX-License-Identifier: Apache-2.0
import Commands

/// A command that the console has executed.
public struct ConsoleTask: Equatable, Sendable {
    /// The command line of this program, without its name.
    public let words: [String]
    /// Whether it goes on until somebody ends it: any key does.
    public let isLive: Bool
    /// Whether it uses the terminal itself.
    public let takesTerminal: Bool
}
