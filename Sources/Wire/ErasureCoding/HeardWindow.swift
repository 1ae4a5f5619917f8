// SPDX-License-Identifier: Apache-2.0
import Time

/// A window as a repairer knows it.
struct HeardWindow {
    enum Phase {
        /// Began before we listened; nothing of it has come.
        case unheard
        case open
        /// What was lost is made again; some of it may only be late, so that it is counted at its end.
        case recovered
        /// Its symbols do not fit together.
        case spoiled
        /// Counted.
        case done
    }

    /// Above any ESI.
    static let unknown = 256

    var phase = Phase.unheard
    /// k; 0 before any packet told it.
    var sources = 0
    /// Whether a repair told k: source packets say what was planned.
    var isSure = false
    /// Sources that came, and that were made.
    var received = SymbolSet()
    var receivedCount = 0
    var recovered = SymbolSet()
    /// ESIs less k.
    var repairs = SymbolSet()
    var repairCount = 0
    /// Of each repair symbol.
    var octets = 0
    /// Highest ESI of a source that came, -1 for none.
    var highest = -1
    /// ESI of the first source that came, of a window that may have begun before we listened; 0 for a window that we heard from its beginning.
    var joinedAt = 0
    /// When it or a newer one was first heard of.
    var first = Monotonic(nanoseconds: 0)
}
