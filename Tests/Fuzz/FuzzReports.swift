// SPDX-License-Identifier: Apache-2.0
import JSON
import Reports

/// A batch as a reporter gets it: what is read of it can be written, and read again as the same.
func fuzzReportBatch(_ bytes: UnsafeRawBufferPointer) {
    guard let batch = try? ReportBatch(parsing: Array(bytes), of: "box-1") else { return }  // refusing is an answer
    precondition(batch.reports.count + batch.refused.count + batch.unreadable.count <= ReportBatch.mostReports)
    precondition(batch.reports.isEmpty || batch.boot != nil)
    let sequences = batch.reports.map(\.sequence) + batch.refused.map(\.sequence)
    precondition(Set(sequences).count == sequences.count && sequences.allSatisfy(Report.sequences.contains))
    for report in batch.reports { touchVenue(report) }
    let octets = ReportBatch.octets(of: batch.reports.map(\.octets))
    // It may have grown over the bound: control characters are escaped.
    guard octets.count <= Report.mostOctets else { return }
    guard let again = try? ReportBatch(parsing: octets, of: "box-1") else {
        preconditionFailure("it is not read again")
    }
    precondition(again.reports == batch.reports && again.refused.isEmpty && again.unreadable.isEmpty)
}

/// An answer as a box gets it: likewise.
func fuzzReportAnswer(_ bytes: UnsafeRawBufferPointer) {
    guard let answer = try? ReportAnswer(parsing: Array(bytes)) else { return }  // as above
    precondition((1...ReportBatch.mostReports).contains(answer.credit))
    guard answer.octets.count <= ReportAnswer.mostOctets else { return }
    guard let again = try? ReportAnswer(parsing: answer.octets) else { preconditionFailure("it is not read again") }
    precondition(again == answer)
}

/// An alert as another reporter gets it: likewise.
func fuzzAlert(_ bytes: UnsafeRawBufferPointer) {
    guard let alert = try? Alert(parsing: Array(bytes)) else { return }  // as above
    guard let again = try? Alert(alert.json) else { preconditionFailure("it is not read again") }
    precondition(again.json == alert.json)
}

/// What a venue tells is divided, and each part is read again.
private func touchVenue(_ report: Report) {
    for part in report.venue?.divided() ?? [] {
        let again = Report(
            box: report.box, boot: report.boot, sequence: report.sequence, kind: .venue, monotonicMs: 0, wall: nil,
            coversMs: 0, members: part.members)
        guard let read = try? Report(parsing: again.octets) else { preconditionFailure("a part is not read again") }
        precondition(read.venue == part)
    }
}

/// The payload of a box that asks to be known.
func fuzzEnrolmentRequest(_ bytes: UnsafeRawBufferPointer) {
    guard let request = try? EnrolmentRequest(parsing: Array(bytes)) else { return }  // refusing is an answer
    precondition((try? EnrolmentRequest(parsing: request.octets)) == request)
}

/// What a reporter answers to it.
func fuzzEnrolmentAnswer(_ bytes: UnsafeRawBufferPointer) {
    guard let answer = try? EnrolmentAnswer(parsing: Array(bytes)) else { return }  // refusing is an answer
    precondition((try? EnrolmentAnswer(parsing: answer.octets)) == answer)
}
