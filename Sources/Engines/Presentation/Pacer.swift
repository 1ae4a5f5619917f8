// SPDX-License-Identifier: Apache-2.0
import Time
import Timelines

/// Which vblank of the output the next present can reach, and when it is time for it: one present for a vblank, and as
/// early as can be, which is soon after the vblank before.
struct Pacer {
    /// What is presented for one vblank.
    struct Slot {
        let vblank: Int64
        /// Earlier it would be shown a vblank too early.
        let opens: Monotonic
    }

    private(set) var clock = VBlankClock()
    private var generation = 0
    /// The last vblank that something is presented for.
    private var last: Int64?
    private var lastFlip: Monotonic?
    /// What it takes to compose, of late.
    private var cost = Nanoseconds.zero

    /// What the output says of itself after it has presented.
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

    /// - Returns: nil when there is no vblank to go by.
    func slot(at now: Monotonic) -> Slot? {
        guard clock.isLocked(at: now) else { return nil }
        // A present that takes longer than half of the time comes late now and then, but is never put off for ever.
        let reachable = clock.vblank(after: now + min(cost, clock.span / 2))
        let vblank = max(reachable, last.map { min($0, reachable + 1) + 1 } ?? reachable)
        return Slot(vblank: vblank, opens: opening(of: vblank))
    }

    /// When to begin with what is shown at that vblank.
    func opening(of vblank: Int64) -> Monotonic { clock.time(of: vblank - 1) + margin(at: clock.time(of: vblank)) }

    private func margin(at instant: Monotonic) -> Nanoseconds {
        min(clock.span / 4, max(.microseconds(300), clock.error(at: instant)))
    }

    /// What was presented for the slot is visible at `instant`.
    /// - Returns: the vblank that this was, and how many are between the last one and it.
    mutating func presented(for slot: Slot, visible instant: Monotonic) -> (vblank: Int64, passed: Int64) {
        let vblank = max(slot.vblank, clock.vblank(nearest: instant))
        let passed = last.map { max(0, vblank - $0 - 1) } ?? 0
        last = vblank
        return (vblank, passed)
    }
}
