// SPDX-License-Identifier: Apache-2.0
import Scene
import Time

/// The regions of one layout become those of the next.
struct CrossFade {
    let start: Monotonic
    let duration: Nanoseconds
    /// What the stage showed when the fade began.
    let old: Surface
    /// The new layout's regions, kept up to date.
    let new: Surface
    var damage = Damage()
    /// Of the new, 0...255.
    private(set) var weight = 0

    init(_ duration: Nanoseconds, from old: Surface, at now: Monotonic) {
        self.duration = max(.milliseconds(1), min(.seconds(60), duration))
        self.old = old
        new = Surface(old.size)
        start = now
        damage.add(PixelRectangle(x: 0, y: 0, size: old.size))
    }

    /// - Returns: false when it is over.
    mutating func advance(to now: Monotonic) -> Bool {
        weight = max(weight, Int(min(255, max(0, (now - start).count * 255 / duration.count))))
        return weight < 255
    }
}
