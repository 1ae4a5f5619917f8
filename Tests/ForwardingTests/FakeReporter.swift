// SPDX-License-Identifier: Apache-2.0
import Forwarding

/// Remembers what it has committed.
struct FakeReporter {
    /// First octet of reports that it never takes.
    static let refusedOctet = UInt8(ascii: "!")

    private(set) var reports: [ReportID: [UInt8]] = [:]
    /// How often two reports came by one sequence.
    private(set) var contradictions = 0

    /// - Parameter count: of the batch's reports, it looks at so many.
    mutating func take(_ batch: SpoolBatch, atMost count: Int = .max) -> UploadAnswer {
        var (acknowledged, refused) = (RangeSet<UInt64>(), RangeSet<UInt64>())
        for record in batch.records.prefix(count) {
            guard record.payload.first != Self.refusedOctet else {
                refused.insert(contentsOf: record.sequence..<record.sequence + 1)
                continue
            }
            let id = ReportID(boot: batch.boot, sequence: record.sequence)
            if let known = reports[id], known != record.payload { contradictions += 1 }
            reports[id] = record.payload
            acknowledged.insert(contentsOf: record.sequence..<record.sequence + 1)
        }
        let isWhole = acknowledged == batch.sequences
        return .judged(
            boot: batch.boot, acknowledged: isWhole ? .all : .some(acknowledged), refused: .some(refused),
            retryAfter: nil)
    }
}
