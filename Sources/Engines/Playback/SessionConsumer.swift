// SPDX-License-Identifier: Apache-2.0
import Time

/// What a Product attaches to every new session (PLAY-23): called on the control plane's thread, in the order in which
/// consumers were added.
public struct SessionConsumer {
    public let name: String
    /// Before the session is opened.
    public let started: (PlayingSession) -> Void
    /// After its last picture, before its counters are gone; with the time of its closing.
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
