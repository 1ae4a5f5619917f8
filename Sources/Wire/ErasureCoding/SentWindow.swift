// SPDX-License-Identifier: Apache-2.0
import Time

/// A window that an encoder fills, then sends the repairs of.
struct SentWindow {
    enum Phase {
        case free, filling, repairing
    }

    var phase = Phase.free
    var block: UInt32 = 0
    /// Packets at which it is full; told by the ids of its source packets.
    var planned = 0
    /// Packets so far.
    var count = 0
    /// Octets of the longest symbol so far, E of this window.
    var octets = 0
    var first = Monotonic(nanoseconds: 0)
    var end = Monotonic(nanoseconds: 0)
    /// Repairs to be handed out; known at its end.
    var repairs = 0
    /// Those handed out.
    var repairsSent = 0
}
