// SPDX-License-Identifier: Apache-2.0
import Synchronization
import Venue

/// Which of several interchangeable sources is admitted. While several are tried, the first that is heard shuts out the
/// others. The receive thread asks; the control plane starts a new search.
final class SourceSelection: Sendable {
    let names: [String]
    private let addresses: [NumericAddress]
    /// Index of the source that is admitted; -1: whichever is heard first.
    private let chosen = Atomic<Int>(-1)

    /// - Parameter sources: numeric addresses; nil unless there are at least two and all can be parsed.
    init?(_ sources: [String]) {
        addresses = sources.compactMap { NumericAddress($0) }
        names = sources
        guard sources.count > 1, addresses.count == sources.count else { return nil }
    }

    /// Whether a datagram of this sender is accepted. Receive thread only.
    func admits(_ sender: NumericAddress) -> Bool {
        let now = chosen.load(ordering: .relaxed)
        if now >= 0 { return addresses[now] == sender }
        guard let index = addresses.firstIndex(of: sender) else { return false }
        return chosen.compareExchange(expected: -1, desired: index, ordering: .relaxed).exchanged
    }

    /// Index of the source that is heard; nil if none was heard since the search began.
    var heard: Int? {
        let now = chosen.load(ordering: .relaxed)
        return now >= 0 ? now : nil
    }

    func search() { chosen.store(-1, ordering: .relaxed) }
}
