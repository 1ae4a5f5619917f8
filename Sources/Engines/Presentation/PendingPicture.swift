// SPDX-License-Identifier: Apache-2.0
import Media
import Time

/// What decides when a picture that was taken from its queue is shown.
struct PendingPicture {
    let time: Monotonic
    let epoch: Int
    let isImmediate: Bool
    let fieldSpan: Nanoseconds

    /// When it is due; nil while the playback clock is paused.
    func due(by state: PlayHead.State, now: Monotonic) -> Monotonic? { isImmediate ? now : state.due(time) }
}
