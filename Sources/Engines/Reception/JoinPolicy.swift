// SPDX-License-Identifier: Apache-2.0
import Network
import Time

/// Whether a group is joined, on which link, and when it has to be joined again: left when its link goes, joined when
/// the link is there (again), renewed when it is silent for too long.
struct JoinPolicy: Equatable, Sendable {
    enum Step: Equatable, Sendable {
        case stay
        /// The link is gone.
        case leave
        /// Leave what is joined and join on the wanted link: it came up, or it is another.
        case follow
        /// Likewise, on the same link.
        case renew
    }

    /// How long a join that failed waits for another try.
    static let retry = Nanoseconds.milliseconds(500)

    /// Nil: not joined.
    private(set) var joined: LinkAttachment?
    /// Nil for a group on which nothing need come.
    private var silence: SilenceWatch?
    private var retryAt: Monotonic?
    private var failed: LinkAttachment?

    /// - Parameters:
    ///   - attachment: nil: not joined yet.
    ///   - waits: nil: nothing need come.
    init(joined attachment: LinkAttachment?, at now: Monotonic, _ waits: SilenceWatch.Waits?) {
        joined = attachment
        silence = waits.map { SilenceWatch(joinedAt: now, $0) }
    }

    /// - Parameter arrival: of the newest datagram.
    mutating func heard(at arrival: Monotonic) { silence?.heard(at: arrival) }

    /// What to do now. The caller does it and says how it went.
    /// - Parameter wanted: the link on which it is to be joined; nil: down.
    mutating func review(wanted: LinkAttachment?, at now: Monotonic) -> Step {
        guard let wanted else { return joined == nil ? .stay : .leave }
        guard let joined else {
            // Waits for nothing when the link is another than that on which it failed.
            if let retryAt, failed == wanted, now < retryAt { return .stay }
            return .follow
        }
        guard joined == wanted else { return .follow }
        return silence?.isOver(at: now) == true ? .renew : .stay
    }

    /// Joined by others, who did not know when the link came up: as it is now.
    mutating func adopt(_ attachment: LinkAttachment) { joined = attachment }

    mutating func left() { joined = nil }

    /// - Parameter isRenewal: the waits for data go on growing.
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
