// SPDX-License-Identifier: Apache-2.0
import Media
import Time

/// The properties of a queued picture that decide when it is shown.
struct PendingPicture {
    let time: Monotonic
    let epoch: Int
    let isImmediate: Bool
    let fieldSpan: Nanoseconds

    /// The instant at which it is due; nil while the playback clock is paused.
    func due(by state: PlaybackClock.State, now: Monotonic) -> Monotonic? { isImmediate ? now : state.due(time) }
}
