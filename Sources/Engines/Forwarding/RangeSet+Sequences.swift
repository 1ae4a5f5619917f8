// SPDX-License-Identifier: Apache-2.0

extension RangeSet<UInt64> {
    /// How many sequences there are.
    var total: Int64 { ranges.reduce(0) { $0 &+ Int64(clamping: $1.upperBound - $1.lowerBound) } }

    init(sequences: some Sequence<UInt64>) {
        self.init()
        for sequence in sequences { insert(sequence) }
    }

    /// - Parameter sequence: one of `SpoolRecord.sequences`.
    mutating func insert(_ sequence: UInt64) { insert(contentsOf: sequence..<sequence + 1) }
}
