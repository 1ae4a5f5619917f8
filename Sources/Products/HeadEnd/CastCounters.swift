// SPDX-License-Identifier: Apache-2.0
import Buffers

/// What a channel has sent. Any thread.
struct CastCounters: Sendable {
    /// Datagrams sent, repair datagrams included.
    let sent = Counter()
    /// Repair datagrams sent.
    let repairSent = Counter()
    let sentOctets = Counter()
    /// Datagrams for which the ring had no room or that the kernel did not take.
    let refused = Counter()
    /// Slots that were begun after their time.
    let late = Counter()
}
