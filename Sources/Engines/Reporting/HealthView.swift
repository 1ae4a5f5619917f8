// SPDX-License-Identifier: Apache-2.0
import Venue

/// The health of the box as its other parts read it. The feature Health publishes it.
/// - Thread: the control loop's only.
public final class HealthView {
    /// The values that are published together.
    public struct Snapshot: Sendable {
        public var state = ServiceState(reasons: .notRunning)
        /// The interfaces that the service may use, as they were at the last observation.
        public var uplinks: [Uplink] = []
        /// The venue without which playback is locked; nil if playback is not locked.
        public var missedVenue: String?
        /// Whether the box hears its venue; nil while that is not known.
        public var isInVenue: Bool?
        /// Packets per million that were lost after repair, by session. A session is absent until its loss is known.
        public var lossPPM: [Int: Int64] = [:]
        /// Why sessions of channels show no picture. A session is absent while it shows one, or the reason is not known.
        public var absences: [Int: PictureAbsence] = [:]

        public init() {}
    }

    public private(set) var snapshot = Snapshot()
    private var subscribers: [(_ before: Snapshot) -> Void] = []

    public init() {}

    /// Why playback is locked; nil if it is not.
    public var lock: Status? {
        snapshot.missedVenue.map { name in
            .failure(
                .failed, "venue '\(name)' is not heard: expected it, because health.venue.locksOutside is true")
        }
    }

    /// - Parameter handler: called with the snapshot before, after each change of the state, of the lock, or of the reasons
    ///   why there is no picture.
    public func subscribe(_ handler: @escaping (_ before: Snapshot) -> Void) { subscribers.append(handler) }

    /// Replaces the snapshot, and then tells the subscribers.
    public func publish(_ snapshot: Snapshot) {
        let before = self.snapshot
        self.snapshot = snapshot
        let isNews =
            snapshot.state != before.state || snapshot.missedVenue != before.missedVenue
            || snapshot.absences != before.absences
        guard isNews else { return }
        for subscriber in subscribers { subscriber(before) }
    }
}
