// SPDX-License-Identifier: Apache-2.0
import Time
import Timelines

/// Chooses the vblank that the next present can reach, and the instant to begin composing it. There is one present for
/// each vblank, as early as possible, which is shortly after the vblank before.
struct Pacer {
    /// The present for a vblank.
    struct Slot {
        let vblank: Int64
        /// The earliest instant to begin; an earlier present would be shown one vblank too early.
        let opens: Monotonic
    }

    private(set) var clock = VBlankClock()
    private var generation = 0
    /// The vblank of the last present; nil if there was none since vblanks were numbered.
    private var last: Int64?
    private var lastFlip: Monotonic?
    /// The time that composing takes, from recent frames.
    private var cost = Nanoseconds.zero

    /// Takes what the output reports after a present.
    mutating func follow(refresh: Nanoseconds?, flip: Monotonic?) {
        clock.setNominal(refresh)
        if refresh != nil, let flip, flip != lastFlip {
            lastFlip = flip
            clock.flipped(at: flip)
        }
        if clock.generation != generation {
            generation = clock.generation
            last = nil
        }
    }

    mutating func took(_ span: Nanoseconds) { cost = max(span, cost - cost / 16) }

    /// - Returns: nil if the vblanks are not known.
    func slot(at now: Monotonic) -> Slot? {
        guard clock.isLocked(at: now) else { return nil }
        // A present that takes more than half the interval is late at times, but is never put off for ever.
        let reachable = clock.vblank(after: now + min(cost, clock.span / 2))
        let vblank = max(reachable, last.map { min($0, reachable + 1) + 1 } ?? reachable)
        return Slot(vblank: vblank, opens: opening(of: vblank))
    }

    /// When to begin composing for a vblank.
    func opening(of vblank: Int64) -> Monotonic { clock.time(of: vblank - 1) + margin(at: clock.time(of: vblank)) }

    private func margin(at instant: Monotonic) -> Nanoseconds {
        min(clock.span / 4, max(.microseconds(300), clock.error(at: instant)))
    }

    /// The present for the slot became visible at `instant`.
    /// - Returns: the vblank at which it was visible, and the number of vblanks without a present since the last one.
    mutating func presented(for slot: Slot, visible instant: Monotonic) -> (vblank: Int64, passed: Int64) {
        let vblank = max(slot.vblank, clock.vblank(nearest: instant))
        let passed = last.map { max(0, vblank - $0 - 1) } ?? 0
        last = vblank
        return (vblank, passed)
    }
}
