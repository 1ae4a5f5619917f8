// SPDX-License-Identifier: Apache-2.0

/// What is known of each link of the chain that a picture goes through. What cannot be observed is nil, and is blamed for
/// nothing. Counts are those of the last seconds, not since the start.
public struct Evidence: Hashable, Sendable {
    /// Whether the service answers.
    public enum Service: Hashable, Sendable {
        case answers
        /// Nothing listens at its socket.
        case isNotRunning(socket: String)
        /// It takes connections and does not answer.
        case isSilent(socket: String)
        /// It does not admit this user.
        case refuses(socket: String)
        /// It answers otherwise than it should, or hung up.
        case isOdd(String)
    }

    public var service = Service.answers
    public var machine = Machine()
    public var network = Network()
    public var announcements: Announcements?
    public var licence: Licence?
    /// What plays in the regions that are visible, `main` first; empty if nothing is tuned.
    public var sessions: [Session]?
    public var display: Display?
    public var sound: Sound?

    public init() {}
}
