// SPDX-License-Identifier: Apache-2.0
import Forwarding
import Simulating
import Time

/// The reports of one simulated box that are not acknowledged. Only when each was made is kept: what it says follows from
/// that.
struct PendingReports {
    struct Entry: Equatable {
        let sequence: UInt64
        let isEvent: Bool
        /// When it was made, and the state before it, from the start of the simulation.
        let made: Nanoseconds
        let last: Nanoseconds
    }

    struct Start {
        let boot: BootID
        let since: Nanoseconds
        var lastSequence: UInt64 = 0
        /// The sequence of the newest state; 0 before the first.
        var newestState: UInt64 = 0
        /// The oldest first.
        var entries: [Entry] = []
    }

    /// Reports of one box that are kept: three days of them at 10 s.
    static let most = 26_000

    /// The newest last. Earlier ones only as long as they have reports.
    private(set) var starts: [Start] = []
    private(set) var count = 0
    /// Given up because there were too many.
    private(set) var lostCount = 0

    mutating func begin(_ boot: BootID, at instant: Nanoseconds) {
        starts.removeAll { $0.entries.isEmpty }
        starts.append(Start(boot: boot, since: instant))
    }

    mutating func add(isEvent: Bool, at instant: Nanoseconds, last: Nanoseconds) {
        guard let newest = starts.indices.last else { return }
        starts[newest].lastSequence += 1
        let sequence = starts[newest].lastSequence
        if !isEvent { starts[newest].newestState = sequence }
        starts[newest].entries.append(Entry(sequence: sequence, isEvent: isEvent, made: instant, last: last))
        count += 1
        guard count > Self.most, let oldest = starts.firstIndex(where: { !$0.entries.isEmpty }) else { return }
        starts[oldest].entries.removeFirst()
        count -= 1
        lostCount += 1
    }

    /// The newest state of the newest start, unless it is settled.
    var newest: (start: Start, entry: Entry)? {
        guard let start = starts.last, let entry = start.entries.last(where: { !$0.isEvent }) else { return nil }
        return entry.sequence == start.newestState ? (start, entry) : nil
    }

    /// The oldest reports of one start; nil if there are none.
    var oldest: (start: Start, entries: ArraySlice<Entry>)? {
        starts.first { !$0.entries.isEmpty }.map { ($0, $0.entries.prefix(Spool.mostRecords)) }
    }

    /// - Returns: how many were still to be sent.
    mutating func settle(_ sequences: RangeSet<UInt64>, of boot: BootID) -> Int {
        guard let index = starts.firstIndex(where: { $0.boot == boot }) else { return 0 }
        let before = starts[index].entries.count
        starts[index].entries.removeAll { sequences.contains($0.sequence) }
        let settled = before - starts[index].entries.count
        count -= settled
        return settled
    }
}
