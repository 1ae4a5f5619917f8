// SPDX-License-Identifier: Apache-2.0
import Synchronization
import Venue

/// Which of several sources that send the same is let in: while they are tried, the first that is heard shuts out the
/// others. Asked by the receive thread, set free by the control plane.
final class SourceSelection: Sendable {
    let names: [String]
    private let addresses: [NumericAddress]
    /// Index of the one that is let in; -1: whichever comes first.
    private let chosen = Atomic<Int>(-1)

    /// - Parameter sources: numeric; nil without a choice between at least two.
    init?(_ sources: [String]) {
        addresses = sources.compactMap { NumericAddress($0) }
        names = sources
        guard sources.count > 1, addresses.count == sources.count else { return nil }
    }

    /// Whether a datagram of this sender is taken. Receive thread.
    func admits(_ sender: NumericAddress) -> Bool {
        let now = chosen.load(ordering: .relaxed)
        if now >= 0 { return addresses[now] == sender }
        guard let index = addresses.firstIndex(of: sender) else { return false }
        return chosen.compareExchange(expected: -1, desired: index, ordering: .relaxed).exchanged
    }

    /// Nil: none yet, or not since the search began.
    var heard: Int? {
        let now = chosen.load(ordering: .relaxed)
        return now >= 0 ? now : nil
    }

    func search() { chosen.store(-1, ordering: .relaxed) }
}
