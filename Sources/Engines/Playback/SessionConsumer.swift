// SPDX-License-Identifier: Apache-2.0
import Time

/// An observer that a Product attaches to every new session (PLAY-23). It is called on the control loop; observers are
/// called in the order in which they were added.
public struct SessionConsumer {
    public let name: String
    /// Called before the session is opened.
    public let started: (PlayingSession) -> Void
    /// Called after the session's last picture, while its counters still exist; with the instant of its closing.
    public let ended: (PlayingSession, Monotonic) -> Void

    public init(
        _ name: String, started: @escaping (PlayingSession) -> Void = { _ in },
        ended: @escaping (PlayingSession, Monotonic) -> Void = { _, _ in }
    ) {
        self.name = name
        self.started = started
        self.ended = ended
    }
}
