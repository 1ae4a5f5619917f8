// SPDX-License-Identifier: Apache-2.0
import Time

/// What came of asking whether somebody has to log in, or of a token that was typed.
public enum ConsoleLogin: Equatable, Sendable {
    /// Commands are taken from whoever is here.
    /// - Parameter notice: lines for that person, such as how the box can be claimed.
    case notNeeded(notice: [String])
    /// - Parameter why: what was wrong with the token, or how long no token is looked at; nil if none was shown.
    case needed(why: String?)
    /// - Parameter idle: after how long without a key the person is logged out.
    case accepted(name: String, role: String, idle: Nanoseconds)
}
