// SPDX-License-Identifier: Apache-2.0

/// What came of an attempt to send reports.
public enum UploadAnswer: Equatable, Sendable {
    /// Sequences of a batch.
    public enum Selection: Equatable, Sendable {
        case all
        case some(RangeSet<UInt64>)

        public static var none: Selection { .some(RangeSet()) }

        func among(_ sequences: RangeSet<UInt64>) -> RangeSet<UInt64> {
            switch self {
            case .all: sequences
            case .some(let chosen): chosen.intersection(sequences)
            }
        }
    }

    /// The reporter answered.
    /// - `acknowledged`: what it has on its disk.
    /// - `refused`: what it will never take. What it has acknowledged as well counts as acknowledged.
    /// - `retryAfter`: seconds that it asks the box to wait; nil if it does not.
    /// - `credit`: how many reports the next batch may have.
    case judged(
        boot: BootID, acknowledged: Selection, refused: Selection, retryAfter: Int64?, credit: Int = Spool.mostRecords)
    /// The reporter was not reached, or said nothing about the reports (such as 503).
    case failed(retryAfter: Int64?)
}
