// SPDX-License-Identifier: Apache-2.0
import Synchronisation
import Time
import Timelines

/// A leader's timeline as it was heard last, by its wall clock as that was known then. The session of a follower is held to
/// it when the leader falls silent, until another one is there that goes on with the same clocks: so the session stays
/// where it is, and the followers stay together.
struct HeldTimeline {
    /// A leader is missed after `SyncGroup.silence`; another one is then elected and acquired.
    static let longest = Nanoseconds.seconds(15)

    let timeline: FollowedTimeline
    let clock: SlewedWallClock
    /// Of the content that the leader presented.
    let medium: ClockCorrelation
    /// When it was heard last.
    let heard: Monotonic

    func isValid(at now: Monotonic) -> Bool { now - heard <= Self.longest }
}
