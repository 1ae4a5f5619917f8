// SPDX-License-Identifier: Apache-2.0
import Time

/// The instants at which frames of motion are presented while no vblank is known.
struct FrameGrid {
    /// Frames a second, 1...240.
    let rate: Int
    private var start: Monotonic?
    private var index: Int64 = 0

    init(rate: Int) { self.rate = max(1, min(240, rate)) }

    var isRunning: Bool { start != nil }
    var span: Nanoseconds { Nanoseconds(1_000_000_000 / Int64(rate)) }

    /// The instant of the next frame; nil if nothing moves.
    var next: Monotonic? { start.map { $0 + .seconds(1) * index / Int64(rate) } }

    /// Starts the motion with a frame at `now`; has no effect if it runs.
    mutating func run(from now: Monotonic) {
        guard start == nil else { return }
        start = now
        index = 0
    }

    mutating func stop() { start = nil }

    /// Advances to the first frame after `now`.
    /// - Returns: whether a frame was due, and how many other frames were missed.
    mutating func pass(_ now: Monotonic) -> (isDue: Bool, missed: Int64) {
        guard let origin = start, let next, next <= now else { return (false, 0) }
        let passed = index
        index = (now - origin).count / 1_000_000 * Int64(rate) / 1_000
        while let next = self.next, next <= now { index += 1 }
        return (true, index - passed - 1)
    }
}
