// SPDX-License-Identifier: Apache-2.0
import Time

/// The records of this start on their way to the disk: they wait, then they are written, then they are flushed.
struct SpoolIntake {
    /// The segment that records are appended to. Its records stay in memory, to be written again after an error.
    struct Open {
        let name: SegmentName
        let opened: Monotonic
        var records: [SpoolRecord] = []
        /// How many of the records are flushed.
        var flushed = 0

        init(_ name: SegmentName, at now: Monotonic) {
            self.name = name
            opened = now
        }
    }

    /// nil before the first record, after a full segment, and after an error.
    private(set) var open: Open?
    /// Records that are not written, the oldest first.
    private(set) var waiting: [SpoolRecord] = []
    private(set) var waitingOctets = 0

    private var unflushed: ArraySlice<SpoolRecord> { open.map { $0.records[$0.flushed...] } ?? [] }
    var hasUnflushed: Bool { !unflushed.isEmpty }
    var hasUnflushedEvent: Bool { unflushed.contains { $0.kind == .event } }
    /// Whether everything is flushed.
    var isOnDisk: Bool { waiting.isEmpty && !hasUnflushed }
    /// The oldest record that a loss of power would take; nil if there is none.
    var firstAtRisk: UInt64? { unflushed.first?.sequence ?? waiting.first?.sequence }
    var waitingSequences: RangeSet<UInt64> { RangeSet(sequences: waiting.lazy.map(\.sequence)) }

    mutating func add(_ record: SpoolRecord) {
        waiting.append(record)
        waitingOctets += record.octetCount
    }

    // MARK: What became of the oldest record that waits, and of the open segment

    mutating func opened(_ name: SegmentName, at now: Monotonic) { open = Open(name, at: now) }

    mutating func wrote() {
        guard let record = waiting.first else { return }
        waiting.removeFirst()
        waitingOctets -= record.octetCount
        open?.records.append(record)
    }

    mutating func flushed() {
        let count = open?.records.count ?? 0
        open?.flushed = count
    }

    mutating func close() { open = nil }

    /// The open segment took no record or could not be flushed. What may not be on the disk waits again.
    /// - Parameters:
    ///   - isGone: the file is not there any more, so that nothing of it is on the disk.
    ///   - settled: sequences that need not be written again.
    /// - Returns: sequences of records that the segment may have and that do not count as being there.
    mutating func failed(isGone: Bool, settled: RangeSet<UInt64>) -> RangeSet<UInt64> {
        guard let open else { return RangeSet() }
        let doubtful = open.records[(isGone ? 0 : open.flushed)...]
        let again = doubtful.filter { !settled.contains($0.sequence) }
        waiting.insert(contentsOf: again, at: 0)
        waitingOctets += again.reduce(0) { $0 + $1.octetCount }
        self.open = nil
        return RangeSet(sequences: doubtful.lazy.map(\.sequence))
    }

    // MARK: Records that need not be written

    mutating func settle(_ sequences: RangeSet<UInt64>) {
        waiting.removeAll { sequences.contains($0.sequence) }
        waitingOctets = waiting.reduce(0) { $0 + $1.octetCount }
    }

    /// Gives up the oldest records that wait, as long as there are too many.
    /// - Parameter limit: octets that may wait.
    /// - Returns: their sequences.
    mutating func shed(to limit: Int) -> RangeSet<UInt64> {
        var shed = RangeSet<UInt64>()
        while waitingOctets > limit, let record = waiting.first {
            waiting.removeFirst()
            waitingOctets -= record.octetCount
            shed.insert(record.sequence)
        }
        return shed
    }
}
