// SPDX-License-Identifier: Apache-2.0

/// Which reports of one start have ever been kept, as ranges. It never forgets: a report that comes again after its text
/// has been thrown away is still known. Of a start of which nothing is missing it is one range.
struct ReceivedSequences: Equatable {
    /// A box that leaves out every other sequence must not fill the disk with ranges.
    static let mostRanges = 4_096

    /// Ascending, with both ends; no two touch.
    private(set) var ranges: [ClosedRange<Int64>] = []

    init() {}

    /// - Parameter ranges: as `ranges` had them.
    init(_ ranges: [ClosedRange<Int64>]) { self.ranges = ranges }

    /// Place of the last range that begins at the sequence or before it; -1 if none does.
    private func place(of sequence: Int64) -> Int {
        var (low, high) = (0, ranges.count)
        while low < high {
            let middle = (low + high) / 2
            if ranges[middle].lowerBound <= sequence { low = middle + 1 } else { high = middle }
        }
        return low - 1
    }

    func contains(_ sequence: Int64) -> Bool {
        let place = place(of: sequence)
        return place >= 0 && ranges[place].contains(sequence)
    }

    enum Insertion: Equatable {
        case new
        case known
        /// It would be one range too many.
        case full
    }

    /// - Parameter sequence: 1…2⁶³−1
    mutating func insert(_ sequence: Int64) -> Insertion {
        let before = place(of: sequence)
        if before >= 0, ranges[before].contains(sequence) { return .known }
        let joinsBefore = before >= 0 && ranges[before].upperBound == sequence - 1
        let after = before + 1
        let joinsAfter = after < ranges.count && sequence < .max && ranges[after].lowerBound == sequence + 1
        switch (joinsBefore, joinsAfter) {
        case (true, true):
            ranges[before] = ranges[before].lowerBound...ranges[after].upperBound
            ranges.remove(at: after)
        case (true, false): ranges[before] = ranges[before].lowerBound...sequence
        case (false, true): ranges[after] = sequence...ranges[after].upperBound
        case (false, false):
            guard ranges.count < Self.mostRanges else { return .full }
            ranges.insert(sequence...sequence, at: after)
        }
        return .new
    }

    /// What rows by their first sequences have to become what they are now.
    func changes(since old: ReceivedSequences) -> (removed: [Int64], written: [ClosedRange<Int64>]) {
        // Nearly always only the last range has grown.
        var same = 0
        while same < min(ranges.count, old.ranges.count), ranges[same] == old.ranges[same] { same += 1 }
        let (new, former) = (ranges[same...], old.ranges[same...])
        let kept = Set(new)
        let before = Set(former)
        let firsts = Set(new.map(\.lowerBound))
        return (
            former.filter { !kept.contains($0) && !firsts.contains($0.lowerBound) }.map(\.lowerBound),
            new.filter { !before.contains($0) }
        )
    }

    /// How many sequences before the last one are missing.
    var missing: Int64 {
        guard let last = ranges.last?.upperBound else { return 0 }
        return ranges.reduce(last) { $0 - ($1.upperBound - $1.lowerBound) - 1 }
    }

    /// The first of the ranges that are missing.
    func gaps(limit: Int) -> [ClosedRange<Int64>] {
        var gaps: [ClosedRange<Int64>] = []
        var next: Int64 = 1
        for range in ranges {
            guard gaps.count < limit else { break }
            if range.lowerBound > next { gaps.append(next...range.lowerBound - 1) }
            next = range.upperBound == .max ? .max : range.upperBound + 1
        }
        return gaps
    }
}

extension [ClosedRange<Int64>] {
    /// - Parameter sequences: in any order, and perhaps more than once.
    init(sequences: [Int64]) {
        self = []
        for sequence in sequences.sorted() {
            if let last, last.upperBound == sequence { continue }
            if let last, last.upperBound + 1 == sequence {
                self[count - 1] = last.lowerBound...sequence
            } else {
                append(sequence...sequence)
            }
        }
    }
}
