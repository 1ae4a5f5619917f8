// SPDX-License-Identifier: Apache-2.0
import Time

/// Decides by how much a leading session goes further behind live, so that its followers can present with it. It never
/// comes nearer by itself: nobody should see a jump because another box was switched off.
///
/// Each follower is left room, so that it can correct itself towards live too, for as long as they play. The first move is
/// made at once, and each further one after a longer pause: a follower whose need changes all the time does not hold up
/// the others for ever.
public struct LeadingDelay: Sendable {
    /// By how much the neediest follower can come nearer to live after a move.
    static let room = Nanoseconds.milliseconds(40)
    private static let shortestPause = Nanoseconds.milliseconds(600)
    private static let longestPause = Nanoseconds.seconds(20)
    /// After this time without a move the next one is the first again.
    private static let rest = Nanoseconds.seconds(60)

    private var moved: Monotonic?
    private var pause = Self.shortestPause

    public init() {}

    /// - Parameters:
    ///   - common: by how much later than live all could present, see `TSServer.commonDelay`; nil if nobody needs that.
    ///   - applied: how far behind live the session is.
    /// - Returns: by how much it shall go back; nil for not at all.
    public mutating func growth(to common: Nanoseconds?, applied: Nanoseconds, at now: Monotonic) -> Nanoseconds? {
        guard let common, common > applied else { return nil }
        if let moved {
            guard now - moved >= pause else { return nil }
            pause = now - moved >= Self.rest ? Self.shortestPause : min(Self.longestPause, pause * 2)
        }
        moved = now
        return common + Self.room - applied
    }
}
