// SPDX-License-Identifier: Apache-2.0
import Time

/// The state of a window in a repairer.
struct HeardWindow {
    enum Phase {
        /// It may have begun before reception began; nothing of it has arrived.
        case unheard
        case open
        /// Lost packets are recovered. Some of them may only be late, so it is counted at its end.
        case recovered
        /// Its symbols contradict each other.
        case spoiled
        /// It has been counted.
        case done
    }

    /// Value of `joinedAt` before the first source packet; above any ESI.
    static let unknown = 256

    var phase = Phase.unheard
    /// Number of source symbols, k; 0 before any packet has stated it.
    var sources = 0
    /// Whether a repair packet has stated k; source packets state the planned number.
    var isSure = false
    /// Source symbols that were received; `recovered` holds those that were recovered.
    var received = SymbolSet()
    var receivedCount = 0
    var recovered = SymbolSet()
    /// Repair symbols received, by ESI minus k.
    var repairs = SymbolSet()
    var repairCount = 0
    /// Octets of each repair symbol.
    var octets = 0
    /// Highest ESI of a source symbol received; -1 if there is none.
    var highest = -1
    /// ESI of the first source symbol received, for a window that may have begun before reception began. 0 for a window
    /// received from its beginning.
    var joinedAt = 0
    /// When the first packet of this window or of a newer one arrived.
    var first = Monotonic(nanoseconds: 0)
}
