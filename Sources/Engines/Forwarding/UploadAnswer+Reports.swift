// SPDX-License-Identifier: Apache-2.0
import Reports

extension UploadAnswer {
    /// - Parameter retryAfter: seconds; nil if the reporter did not ask for a pause.
    /// - Returns: nil if the answer names no start of a box.
    public init?(_ answer: ReportAnswer, retryAfter: Int64?) {
        guard let boot = BootID(answer.boot) else { return nil }
        self = .judged(
            boot: boot, acknowledged: .some(answer.acknowledged),
            refused: .some(RangeSet(answer.refused.map { $0.sequence..<$0.sequence + 1 })), retryAfter: retryAfter,
            credit: answer.credit)
    }
}
