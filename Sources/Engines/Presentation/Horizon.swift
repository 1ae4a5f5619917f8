// SPDX-License-Identifier: Apache-2.0
import Time
import Timelines

/// By when a picture has to be due to be shown now.
struct Horizon {
    let now: Monotonic
    /// The vblank that is shown next, and its clock; nil: what is shown is visible at once.
    var vblank: (number: Int64, clock: VBlankClock)?

    /// When and for how long what was chosen by it is visible.
    struct Outcome {
        let instant: Monotonic
        var vblank: Int64?
        /// Of a vblank: how exact the display can be.
        var span = Nanoseconds.zero
    }
}
