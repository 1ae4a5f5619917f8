// SPDX-License-Identifier: Apache-2.0

/// The times with which pictures were sent to the decoder, in ticks of 90 kHz. It gives a picture back by this time alone,
/// so that one whose time is estimated must not be sent with that of another.
struct TakenTimes: Sendable {
    /// More pictures than any decoder keeps (H.264 A.3.1), with those that it lost.
    private var times = [Int64](repeating: .min, count: 64)
    private var next = 0

    mutating func take(_ time: Int64) {
        times[next] = time
        next = (next + 1) % times.count
    }

    /// - Returns: the first time from this one on that no picture has, which is taken.
    mutating func free(at time: Int64) -> Int64 {
        var free = time
        while times.contains(free) { free += 1 }
        take(free)
        return free
    }
}
