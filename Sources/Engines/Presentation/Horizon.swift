// SPDX-License-Identifier: Apache-2.0
import Time
import Timelines

/// The time by which a picture has to be due to be shown in the next present.
struct Horizon {
    let now: Monotonic
    /// The vblank of the present, and its clock; nil if presents are visible at once.
    var vblank: (number: Int64, clock: VBlankClock)?

    /// When the present was visible.
    struct Outcome {
        let instant: Monotonic
        var vblank: Int64?
        /// The time between vblanks: no display is more exact.
        var span = Nanoseconds.zero
    }
}
