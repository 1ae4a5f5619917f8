// SPDX-License-Identifier: Apache-2.0
import Time

/// When a group that is silent is left and joined again. A membership can be lost where the box does not see it: a switch
/// port that came up after our reports, a querier that is missing, an interface that was replaced. Only a new report
/// mends that; while announcements come, nothing is sent that could disturb them.
public struct GroupPatience: Sendable {
    /// Of a group that was never heard. Ports with spanning tree come up in 30 s.
    public static let unheard = Nanoseconds.seconds(30)
    /// Of one that was heard: two of its intervals, and no less than this. Channels are pruned after three.
    public static let shortest = Nanoseconds.seconds(10)
    /// Each time in vain doubles it, up to this.
    public static let longest = Nanoseconds.seconds(600)

    private var rhythm: AnnouncementRhythm?
    private var patience = unheard
    private var deadline: Monotonic

    public init(joinedAt now: Monotonic) {
        deadline = now + Self.unheard
    }

    /// - Parameter now: arrival of any datagram of the group.
    public mutating func heard(at now: Monotonic) {
        rhythm?.heard(at: now)
        let known = rhythm ?? AnnouncementRhythm(firstHeard: now)
        rhythm = known
        let gap = known.interval(announced: nil)
        patience = min(max(gap + gap, Self.shortest), Self.longest)
        deadline = known.lastHeard + patience
    }

    /// - Returns: whether to leave and join now; true once, then not before twice the patience.
    public mutating func isOver(at now: Monotonic) -> Bool {
        guard now >= deadline else { return false }
        patience = min(patience + patience, Self.longest)
        deadline = now + patience
        return true
    }
}
