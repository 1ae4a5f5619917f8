// SPDX-License-Identifier: Apache-2.0
import Time

/// Decides when a silent group is left and joined again. A membership can be lost without a sign to the box: a switch
/// port that came up after our reports, a missing querier, a replaced interface. Only a new report restores it. While
/// announcements come nothing is sent, since that could disturb them.
public struct GroupPatience: Sendable {
    /// Timeout of a group that was never heard: a port with spanning tree comes up in 30 s.
    public static let unheard = Nanoseconds.seconds(30)
    /// Least timeout of a group that was heard; else it is two of its intervals. Channels are pruned after three.
    public static let shortest = Nanoseconds.seconds(10)
    /// Longest timeout: each rejoin in vain doubles it up to this.
    public static let longest = Nanoseconds.seconds(600)

    private var rhythm: AnnouncementRhythm?
    private var patience = unheard
    private var deadline: Monotonic

    public init(joinedAt now: Monotonic) {
        deadline = now + Self.unheard
    }

    /// - Parameter now: arrival of a datagram of the group.
    public mutating func heard(at now: Monotonic) {
        rhythm?.heard(at: now)
        let known = rhythm ?? AnnouncementRhythm(firstHeard: now)
        rhythm = known
        let gap = known.interval(announced: nil)
        patience = min(max(gap + gap, Self.shortest), Self.longest)
        deadline = known.lastHeard + patience
    }

    /// - Returns: whether to leave and join now. It is true once, then not before twice the timeout.
    public mutating func isOver(at now: Monotonic) -> Bool {
        guard now >= deadline else { return false }
        patience = min(patience + patience, Self.longest)
        deadline = now + patience
        return true
    }
}
