// SPDX-License-Identifier: Apache-2.0

/// Limits on what a box remembers of announcements, which anybody can send.
public struct LineUpLimits: Equatable, Sendable {
    /// Announced sessions, whether listed or not; channels of the settings do not count.
    public var sessions: Int
    /// Announced sessions from one address, so that one sender's flood does not displace the others.
    public var sessionsPerSender: Int
    public var streamers: Int
    /// Senders that settings refuse and that are shown as such; further ones are only counted.
    public var refusedSenders: Int

    public init(
        sessions: Int = 1_000, sessionsPerSender: Int = 600, streamers: Int = 200, refusedSenders: Int = 50
    ) {
        self.sessions = sessions
        self.sessionsPerSender = sessionsPerSender
        self.streamers = streamers
        self.refusedSenders = refusedSenders
    }
}
