// SPDX-License-Identifier: Apache-2.0
import Time

/// Which segments there are, what they hold, and what of that is settled.
struct SpoolLedger {
    /// The oldest first; those of this start are at the end.
    private(set) var segments: [Segment] = []
    var state = SpoolState()

    var octets: Int { segments.reduce(0) { $0 + $1.octets } }

    /// Sequences that are still to be sent.
    func pending(in segment: Segment) -> RangeSet<UInt64> {
        state.settled[segment.name.boot].map { segment.held.subtracting($0) } ?? segment.held
    }

    /// How many records are still to be sent.
    var pendingCount: Int64 { segments.reduce(0) { $0 + pending(in: $1).total } }

    // MARK: Segments

    /// Adds a segment of an earlier start.
    /// - Parameters:
    ///   - missing: sequences that were in it once and cannot be read.
    ///   - own: boot of this start.
    /// - Returns: whether reports are lost that were not known to be.
    mutating func adopt(_ segment: Segment, missing: RangeSet<UInt64>, before own: BootID) -> Bool {
        var segment = segment
        var others = RangeSet<UInt64>()
        for other in segments where other.name.boot == segment.name.boot { others.formUnion(other.held) }
        segment.held.subtract(others)
        let name = segment.name
        let behind = segments.firstIndex { $0.name.boot == own || $0.name > name }
        segments.insert(segment, at: behind ?? segments.endIndex)
        return giveUp(missing.subtracting(others), of: name.boot) > 0
    }

    mutating func append(_ segment: Segment) { segments.append(segment) }

    /// A record was appended to the newest segment.
    mutating func extend(by record: SpoolRecord, at now: Monotonic) {
        guard let last = segments.indices.last else { return }
        segments[last].octets += record.octetCount
        segments[last].held.insert(record.sequence)
        segments[last].appended = now
        segments[last].time = record.time ?? segments[last].time
    }

    /// Records of the newest segment are to be written again.
    mutating func withdraw(_ sequences: RangeSet<UInt64>) {
        guard let last = segments.indices.last else { return }
        segments[last].held.subtract(sequences)
        segments[last].hasCopies = true
    }

    mutating func remove(_ name: SegmentName) { segments.removeAll { $0.name == name } }

    // MARK: Settling

    /// - Returns: how many of the sequences were not settled before.
    @discardableResult
    mutating func settle(_ sequences: RangeSet<UInt64>, of boot: BootID) -> Int64 {
        let new = sequences.subtracting(state.settled[boot] ?? RangeSet())
        if !new.isEmpty { state.settled[boot, default: RangeSet()].formUnion(new) }
        return new.total
    }

    /// Counts reports as lost that are not settled.
    /// - Returns: how many.
    @discardableResult
    mutating func giveUp(_ sequences: RangeSet<UInt64>, of boot: BootID) -> Int64 {
        let count = settle(sequences, of: boot)
        state.lost &+= count
        return count
    }

    /// Forgets what was settled of boots that have no segments.
    mutating func prune(keeping own: BootID) {
        let boots = Set(segments.map(\.name.boot) + [own])
        state.settled = state.settled.filter { boots.contains($0.key) }
    }

    // MARK: Age

    /// Whether the oldest segment is older than is allowed. A segment whose records have no time is as old as the first
    /// one behind it that has some, and at least as old as this start.
    /// - Parameter opened: when this start began.
    func isOldestOverdue(at moment: Moment, opened: Monotonic, longest: Nanoseconds) -> Bool {
        guard let oldest = segments.first else { return false }
        if let appended = oldest.appended { return moment.now - appended > longest }
        if moment.now - opened > longest { return true }
        let known = segments.lazy.prefix { $0.appended == nil }.compactMap(\.time).first
        guard let wall = moment.wall, let known else { return false }
        return wall.nanoseconds.subtractingReportingOverflow(known.nanoseconds).partialValue > longest.count
            && wall > known
    }
}
