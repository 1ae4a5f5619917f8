// SPDX-License-Identifier: Apache-2.0
import Time
import Timelines

/// The limit up to which pictures are due for the next present: an instant, or a vblank.
struct Horizon {
    let now: Monotonic
    /// The vblank of the present and its clock; nil if a present is visible at once.
    var vblank: (number: Int64, clock: VBlankClock)?

    /// When a present became visible.
    struct Outcome {
        let instant: Monotonic
        var vblank: Int64?
        /// The time between vblanks; zero without them. A display cannot be more exact than this.
        var span = Nanoseconds.zero
    }
}
