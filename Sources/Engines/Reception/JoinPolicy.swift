// SPDX-License-Identifier: Apache-2.0
import Network
import Time

/// Decides for one group whether it is joined, on which link, and when it is joined again. A group is left when its
/// link goes, joined when the link is up (again), and renewed after too long a silence.
struct JoinPolicy: Equatable, Sendable {
    enum Step: Equatable, Sendable {
        case stay
        /// The link is down: leave the group.
        case leave
        /// Leave what is joined and join on the wanted link, which came up or is another.
        case follow
        /// Leave the group and join it again on the same link.
        case renew
    }

    /// How long after a failed join the next try is made.
    static let retry = Nanoseconds.milliseconds(500)

    /// The link on which the group is joined; nil when it is not joined.
    private(set) var joined: LinkAttachment?
    /// nil for a group that may be silent.
    private var silence: SilenceWatch?
    private var retryAt: Monotonic?
    private var failed: LinkAttachment?

    /// - Parameters:
    ///   - attachment: the link on which the group is joined; nil when it is not joined yet.
    ///   - waits: waits until a renewal; nil for a group that may be silent.
    init(joined attachment: LinkAttachment?, at now: Monotonic, _ waits: SilenceWatch.Waits?) {
        joined = attachment
        silence = waits.map { SilenceWatch(joinedAt: now, $0) }
    }

    /// - Parameter arrival: arrival of the newest datagram.
    mutating func heard(at arrival: Monotonic) { silence?.heard(at: arrival) }

    /// Decides what to do now. The caller does it and reports the result by `left`, `joined` or `joinFailed`.
    /// - Parameter wanted: the link on which the group should be joined; nil while that link is down.
    mutating func review(wanted: LinkAttachment?, at now: Monotonic) -> Step {
        guard let wanted else { return joined == nil ? .stay : .leave }
        guard let joined else {
            // There is no wait when the link is not the one on which the join failed.
            if let retryAt, failed == wanted, now < retryAt { return .stay }
            return .follow
        }
        guard joined == wanted else { return .follow }
        return silence?.isOver(at: now) == true ? .renew : .stay
    }

    /// Takes over the link's current session for a join that was made before the session was known.
    mutating func adopt(_ attachment: LinkAttachment) { joined = attachment }

    mutating func left() { joined = nil }

    /// - Parameter isRenewal: whether the silence waits go on growing instead of beginning anew.
    mutating func joined(on attachment: LinkAttachment, at now: Monotonic, isRenewal: Bool) {
        joined = attachment
        (retryAt, failed) = (nil, nil)
        if !isRenewal { silence?.joined(at: now) }
    }

    mutating func joinFailed(on attachment: LinkAttachment, at now: Monotonic) {
        joined = nil
        retryAt = now + Self.retry
        failed = attachment
    }
}
