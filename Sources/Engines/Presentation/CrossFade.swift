// SPDX-License-Identifier: Apache-2.0
import Scene
import Time

/// A cross-fade from the regions of one layout to those of the next, in software.
struct CrossFade {
    /// The picture of the stage when the fade began.
    let old: Surface
    /// The regions of the new layout, kept up to date during the fade.
    let new: Surface
    var damage = Damage()
    var progress: FadeProgress

    init(_ duration: Nanoseconds, from old: Surface, at now: Monotonic) {
        self.old = old
        new = Surface(old.size)
        progress = FadeProgress(duration, at: now)
        damage.add(PixelRectangle(x: 0, y: 0, size: old.size))
    }
}
