// SPDX-License-Identifier: Apache-2.0

/// How much a box remembers of what strangers announce.
public struct LineUpLimits: Equatable, Sendable {
    /// Announced sessions, listed or not; channels of the settings come on top.
    public var sessions: Int
    /// Of these from one address, so that a flood takes nobody else's place.
    public var sessionsPerSender: Int
    public var streamers: Int
    /// Senders that settings refuse and that are shown so; beyond it they are only counted.
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
