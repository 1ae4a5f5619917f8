// SPDX-License-Identifier: Apache-2.0
import System
import Time

/// Keeps a thread that runs before all usual ones from running without a pause, whatever is sent to it.
struct WallClockRest {
    /// Datagrams that are taken from a socket at once. With the pause they make 64 000 a second; the kernel drops what is
    /// more.
    static let batch = 64
    private static let pause = Nanoseconds.milliseconds(1)

    private(set) var count: UInt64 = 0

    /// Sleeps after a flood, and after a wait that ended for a descriptor from which nothing could be taken.
    /// - Parameters:
    ///   - most: datagrams taken from the busiest socket.
    ///   - isFruitless: whether a descriptor was ready and nothing came of it.
    mutating func rest(after most: Int, isFruitless: Bool) {
        guard most >= Self.batch || isFruitless else { return }
        count += 1
        SystemClock.sleep(until: SystemClock.monotonic() + Self.pause)
    }
}
