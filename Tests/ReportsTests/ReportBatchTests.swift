// SPDX-License-Identifier: Apache-2.0
import JSON
import TestSupport
import Testing

@testable import Reports

@Suite struct ReportBatchTests {
    private static func batch(_ lines: [[UInt8]]) throws -> ReportBatch {
        try ReportBatch(parsing: ReportBatch.octets(of: lines), of: "box-1")
    }

    @Test func linesAreReports() throws {
        let reports = (1...100 as ClosedRange<UInt64>).map { Report.sample($0) }
        let batch = try Self.batch(reports.map(\.octets))
        #expect(batch.reports == reports && batch.boot == Report.sampleBoot)
        #expect(batch.refused.isEmpty && batch.unreadable.isEmpty)
    }

    @Test func aBadLineDoesNotSpoilTheOthers() throws {
        let batch = try Self.batch([
            Report.sample(1).octets, Array("<html>".utf8), Report.line(["sequence": 2, "kind": "x"]),
            Report.line(["sequence": 0]), [], [0x20, 0x0D], Report.sample(3).octets + [0x0D], Report.sample(3).octets,
        ])
        #expect(batch.reports.map(\.sequence) == [1, 3])
        #expect(batch.refused == [ReportRefusal(2, #"/kind is "x"; expected one of state, event, venue"#)])
        #expect(
            batch.unreadable == [
                "line 2: line 1, column 1: '<' where a value is expected",
                "line 4: /sequence is 0; expected an integer from 1",
            ])
    }

    @Test func reportsOfOthersAreRefused() throws {
        let other = "0000000b-0123456789abcdef"
        let batch = try Self.batch([
            Report.sample(1).octets, Report.sample(2, box: "box-2").octets, Report.sample(3, boot: other).octets,
            Report.sample(1, boot: other).octets,
        ])
        #expect(batch.boot == Report.sampleBoot && batch.reports.map(\.sequence) == [1])
        #expect(
            batch.refused == [
                ReportRefusal(2, #"/box is "box-2"; expected the box of the path"#),
                ReportRefusal(3, "/boot is \(other); expected that of the first report, \(Report.sampleBoot)"),
            ])
    }

    @Test func aBatchOfRefusedReportsHasItsStart() throws {
        let batch = try Self.batch([Report.line(["sequence": 5, "kind": .null])])
        #expect(batch.boot == Report.sampleBoot && batch.reports.isEmpty && batch.refused.map(\.sequence) == [5])
        #expect(try Self.batch([]).boot == nil)
    }

    @Test func tooMuchIsRefusedWhole() {
        let reports = (1...101 as ClosedRange<UInt64>).map { Report.sample($0).octets }
        #expect(thrown(ReportError.self) { try Self.batch(reports) } == .tooMany(limit: 100))
        let long = [UInt8](repeating: 0x20, count: ReportBatch.mostOctets + 1)
        let error = ReportError.tooLong(octets: long.count, limit: ReportBatch.mostOctets)
        #expect(thrown(ReportError.self) { try ReportBatch(parsing: long, of: "box-1") } == error)
    }

    @Test func reasonsAreBounded() {
        let refusal = ReportRefusal(1, String(repeating: "é", count: 600))
        #expect(refusal.why.unicodeScalars.count == ReportRefusal.mostCharacters && refusal.why.hasSuffix("…"))
    }
}
