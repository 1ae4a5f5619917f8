// SPDX-License-Identifier: Apache-2.0
import Time

/// A window that an encoder fills, and whose repair packets it then sends.
struct SentWindow {
    enum Phase {
        case free, filling, repairing
    }

    var phase = Phase.free
    var block: UInt32 = 0
    /// Number of packets at which it is full; the ids of its source packets state it.
    var planned = 0
    /// Number of packets so far.
    var count = 0
    /// Octets of the longest symbol so far, E of this window.
    var octets = 0
    var first = Monotonic(nanoseconds: 0)
    var end = Monotonic(nanoseconds: 0)
    /// Number of repair packets to be sent; known at the window's end.
    var repairs = 0
    /// Number of repair packets sent.
    var repairsSent = 0
}
