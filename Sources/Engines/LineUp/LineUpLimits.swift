// SPDX-License-Identifier: Apache-2.0
import Time

/// Limits on what a box remembers of announcements, which anybody can send.
public struct LineUpLimits: Equatable, Sendable {
    /// Announced sessions, whether listed or not; channels of the settings do not count.
    public var sessions: Int
    /// Announced sessions from one address, so that one sender's flood does not displace the others.
    public var sessionsPerSender: Int
    public var streamers: Int
    /// Senders that settings refuse and that are shown as such; further ones are only counted.
    public var refusedSenders: Int
    /// Announcements of one sender that are read: all but those that are repeated unchanged. A head-end that starts
    /// announces all its sessions at once, each perhaps in JSON and in SDP.
    public var reading: RateLimit
    /// Announcements of all senders that are read.
    public var readingOfAll: RateLimit
    /// Senders that have a limit of their own; further ones share one.
    public var meteredSenders: Int

    public init(
        sessions: Int = 1_000, sessionsPerSender: Int = 600, streamers: Int = 200, refusedSenders: Int = 50,
        reading: RateLimit = RateLimit(atOnce: 2_000, perSecond: 200),
        readingOfAll: RateLimit = RateLimit(atOnce: 8_000, perSecond: 1_000), meteredSenders: Int = 256
    ) {
        self.sessions = sessions
        self.sessionsPerSender = sessionsPerSender
        self.streamers = streamers
        self.refusedSenders = refusedSenders
        self.reading = reading
        self.readingOfAll = readingOfAll
        self.meteredSenders = meteredSenders
    }
}
