// SPDX-License-Identifier: Apache-2.0

/// What becomes of a batch, whichever store keeps it.
extension BatchOutcome {
    /// Refuses all reports of a batch, because its box would be one more than a store keeps.
    init(refusing batch: IncomingBatch) {
        self.init()
        refused = batch.reports.map { Refusal($0.sequence, "\(ReportStore.mostBoxes) boxes are kept already") }
    }

    /// Judges the reports of a batch by what was received of their start before.
    /// - Parameter received: gets the sequences of those that are taken.
    /// - Returns: the outcome once `new` is on the disk; `new` has the reports that are to be written, in their order.
    static func judging(
        _ batch: IncomingBatch, by received: inout ReceivedSequences
    ) -> (outcome: BatchOutcome, new: [IncomingReport]) {
        var outcome = BatchOutcome()
        var (kept, new): ([Int64], [IncomingReport]) = ([], [])
        for report in batch.reports {
            switch received.insert(report.sequence) {
            case .known: outcome.known += 1
            case .new:
                outcome.new += 1
                new.append(report)
            case .full:
                let why = "too much is missing before it: \(ReceivedSequences.mostRanges) gaps are kept of one start"
                outcome.refused.append(Refusal(report.sequence, why))
                continue
            }
            kept.append(report.sequence)
        }
        outcome.acknowledged = [ClosedRange<Int64>](sequences: kept)
        return (outcome, new)
    }
}
