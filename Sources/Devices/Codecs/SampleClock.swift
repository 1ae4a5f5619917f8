// SPDX-License-Identifier: Apache-2.0

/// When each block of sound begins, in 90 kHz ticks: counted in samples from the newest time stamp, so that no fraction
/// of a tick is ever lost.
struct SampleClock {
    private var base: Int64?
    private var rate: Int64 = 1
    /// Since `base`.
    private var frames: Int64 = 0

    /// - Parameter stamp: the block's own time, where it has one.
    /// - Returns: when this block begins; nil before the first stamp.
    mutating func advance(by count: Int, at rate: Int, stamp: Int64?) -> Int64? {
        if let stamp {
            (base, frames) = (stamp, 0)
        } else if self.rate != rate {
            (base, frames) = (time, 0)
        }
        self.rate = Int64(rate)
        let start = time
        frames &+= Int64(count)
        return start
    }

    private var time: Int64? {
        // Whole seconds apart: the product would overflow after years.
        base.map { $0 &+ frames / rate &* 90_000 &+ frames % rate * 90_000 / rate }
    }
}
