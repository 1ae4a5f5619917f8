// SPDX-License-Identifier: Apache-2.0
import Time

/// State of the page flips of one screen: whether one is under way, and when pictures became visible.
struct PageFlipState {
    /// Whether a flip is under way that `present` does not wait for.
    var isPending = false
    /// When the picture of the last flip or modeset became visible; nil if none has since `begin`.
    private(set) var visible: Monotonic?
    /// The instant of the last vblank that showed a picture.
    private(set) var lastVBlank: Monotonic?
    /// When waiting for a flip last timed out; nil if it never did.
    private(set) var lastStall: Monotonic?
    /// The only setting of a flip without a video, kept so that flips do not allocate.
    private var settings: [KMSSetting] = []

    /// A new presentation begins.
    mutating func begin() { visible = nil }

    /// - Returns: the settings of a flip to the framebuffer in the current mode.
    mutating func settings(showing framebuffer: UInt32) -> [KMSSetting] {
        settings[0].value = UInt64(framebuffer)
        return settings
    }

    mutating func done(at instant: Monotonic) { (visible, lastVBlank, isPending) = (instant, instant, false) }

    mutating func stalled(at instant: Monotonic) { (isPending, lastStall) = (true, instant) }

    /// A modeset is done; flips now are of its primary plane.
    mutating func modesetDone(_ pipeline: DisplayPipeline, at instant: Monotonic) {
        settings = [KMSSetting(pipeline.plane, .framebuffer, 0)]
        visible = instant
    }
}
