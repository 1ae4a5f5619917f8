// SPDX-License-Identifier: Apache-2.0

/// Computes when each block of audio begins, in 90 kHz ticks. It counts samples from the newest time stamp, so that no
/// fraction of a tick is lost.
struct SampleClock {
    private var base: Int64?
    private var rate: Int64 = 1
    /// Frames since `base`.
    private var frames: Int64 = 0

    /// - Parameter stamp: the block's own time stamp, if it has one.
    /// - Returns: start of this block in 90 kHz ticks; nil before the first time stamp.
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
        // Whole seconds are converted separately, because one product would overflow after years.
        base.map { $0 &+ frames / rate &* 90_000 &+ frames % rate * 90_000 / rate }
    }
}
