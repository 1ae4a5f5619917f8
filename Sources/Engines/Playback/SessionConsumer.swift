// SPDX-License-Identifier: Apache-2.0
import Time

/// An observer that is attached to every new session, or to those of a strategy that names it (PLAY-23, 38). It is called
/// on the control loop; observers are called in the order in which they were added.
public struct SessionConsumer {
    public let name: String
    /// Called when a session begins, before it is known whether it can be opened.
    public let started: (PlayingSession, RegionPlayer) -> Void
    /// Called immediately before the session is opened.
    public let opening: (PlayingSession, RegionPlayer) -> Void
    /// Called with each report of the session's threads, before the controller takes it.
    public let reported: (PlaybackReport, RegionPlayer) -> Void
    /// Called with each event of playback in the region.
    public let emitted: (PlaybackEvent, RegionPlayer) -> Void
    /// Called after the session's last picture, while its counters still exist; with the instant of its closing.
    public let ended: (PlayingSession, RegionPlayer, Monotonic) -> Void
    /// Called after two regions have exchanged their sessions, of which one may have none.
    public let exchanged: (RegionPlayer, RegionPlayer) -> Void

    public init(
        _ name: String, started: @escaping (PlayingSession, RegionPlayer) -> Void = { _, _ in },
        opening: @escaping (PlayingSession, RegionPlayer) -> Void = { _, _ in },
        reported: @escaping (PlaybackReport, RegionPlayer) -> Void = { _, _ in },
        emitted: @escaping (PlaybackEvent, RegionPlayer) -> Void = { _, _ in },
        ended: @escaping (PlayingSession, RegionPlayer, Monotonic) -> Void = { _, _, _ in },
        exchanged: @escaping (RegionPlayer, RegionPlayer) -> Void = { _, _ in }
    ) {
        self.name = name
        self.started = started
        self.opening = opening
        self.reported = reported
        self.emitted = emitted
        self.ended = ended
        self.exchanged = exchanged
    }
}
