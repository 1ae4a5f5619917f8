// SPDX-License-Identifier: Apache-2.0
import Media
import Time

/// The properties of a queued picture that decide when it is shown.
struct PendingPicture {
    let time: Monotonic
    let epoch: Int
    let isImmediate: Bool
    let fieldSpan: Nanoseconds

    /// The instant at which it is due; nil if the playback clock was paused before it. What was due before the pause is
    /// shown after it, so that a pause leaves the picture that covers its position, whenever the vblank was.
    func due(by state: PlaybackClock.State, now: Monotonic) -> Monotonic? {
        guard !isImmediate else { return now }
        let due = time + state.delay
        if let pausedAt = state.pausedAt, due > pausedAt { return nil }
        return due
    }
}
