// SPDX-License-Identifier: Apache-2.0
import Time

/// The page flips of one screen: the one that is under way, and when pictures became visible.
struct PageFlipState {
    /// True while a flip is under way that nobody waits for.
    var isPending = false
    /// When the picture of the last flip or modeset became visible; nil if none has since `begin`.
    private(set) var visible: Monotonic?
    /// The instant of the last vblank that showed a picture.
    private(set) var lastVBlank: Monotonic?
    /// When a flip was last waited for in vain.
    private(set) var lastStall: Monotonic?
    /// The only setting of a flip without a video, kept so that flips allocate nothing.
    private var settings: [KMSSetting] = []

    /// Something is presented anew.
    mutating func begin() { visible = nil }

    /// - Returns: the settings of a flip to the framebuffer, in the mode that is set.
    mutating func settings(showing framebuffer: UInt32) -> [KMSSetting] {
        settings[0].value = UInt64(framebuffer)
        return settings
    }

    mutating func done(at instant: Monotonic) { (visible, lastVBlank, isPending) = (instant, instant, false) }

    mutating func stalled(at instant: Monotonic) { (isPending, lastStall) = (true, instant) }

    /// A modeset is done; flips are of its primary plane from now on.
    mutating func modesetDone(_ pipeline: DisplayPipeline, at instant: Monotonic) {
        settings = [KMSSetting(pipeline.plane, .framebuffer, 0)]
        visible = instant
    }
}
