// SPDX-License-Identifier: Apache-2.0
import JSON
import TestSupport
import Testing

@testable import Reports

@Suite struct ReportAnswerTests {
    private static let sample = ReportAnswer(
        boot: Report.sampleBoot, acknowledged: RangeSet([1..<6, 7..<10, UInt64(Int64.max)..<UInt64(Int64.max) + 1]),
        refused: [ReportRefusal(6, "/kind: expected one of state, event, venue")], credit: 20)

    @Test func whatIsWrittenIsRead() throws {
        #expect(try ReportAnswer(parsing: Self.sample.octets) == Self.sample)
        let bare = ReportAnswer(boot: Report.sampleBoot, acknowledged: RangeSet())
        #expect(try ReportAnswer(parsing: bare.octets) == bare && bare.credit == 100)
        #expect(ReportAnswer(boot: "", acknowledged: RangeSet(), credit: 0).credit == 1)
    }

    @Test func theContractsExampleIsRead() throws {
        let text = """
            { "boot": "0000000a-0123456789abcdef", "acknowledged": [[1, 5], [7, 9]],
              "refused": [{"sequence": 6, "why": "…"}], "credit": 100, "more": 1 }
            """
        let answer = try ReportAnswer(parsing: Array(text.utf8))
        #expect(answer.acknowledged == RangeSet([1..<6, 7..<10]) && answer.refused == [ReportRefusal(6, "…")])
    }

    @Test(arguments: [
        "", "<html><title>Log in</title></html>", "{}", "[]", "null",
        #"{"boot": "x", "acknowledged": [], "refused": []}"#,
        #"{"boot": "0000000a-0123456789abcdef", "acknowledged": []}"#,
        #"{"boot": "0000000a-0123456789abcdef", "acknowledged": [[5, 1]], "refused": []}"#,
        #"{"boot": "0000000a-0123456789abcdef", "acknowledged": [[1]], "refused": []}"#,
        #"{"boot": "0000000a-0123456789abcdef", "acknowledged": [[0, 4]], "refused": []}"#,
        #"{"boot": "0000000a-0123456789abcdef", "acknowledged": [7], "refused": []}"#,
        #"{"boot": "0000000a-0123456789abcdef", "acknowledged": [], "refused": [{}]}"#,
        #"{"boot": "0000000a-0123456789abcdef", "acknowledged": [], "refused": [], "credit": 0}"#,
    ]) func everythingElseIsNone(text: String) {
        #expect(thrown(ReportError.self) { try ReportAnswer(parsing: Array(text.utf8)) } != nil)
    }

    @Test func everyTruncationThrows() {
        let octets = Self.sample.octets
        for count in 0..<octets.count {
            #expect(thrown(ReportError.self) { try ReportAnswer(parsing: Array(octets.prefix(count))) } != nil)
        }
    }

    @Test func noMutationTraps() {
        for seed in 0..<UInt64(Mutation.count()) {
            var mutation = Mutation(seed: seed)
            guard let answer = try? ReportAnswer(parsing: mutation.damage(Self.sample.octets)) else { continue }
            #expect(throws: Never.self) { _ = try ReportAnswer(parsing: answer.octets) }
        }
    }

    @Test func manyRangesAreWrittenFromTheEnd() throws {
        var ranges = RangeSet<UInt64>()
        for index in 0..<1_500 as Range<UInt64> { ranges.insert(contentsOf: index * 2 + 1..<index * 2 + 2) }
        let answer = try ReportAnswer(parsing: ReportAnswer(boot: Report.sampleBoot, acknowledged: ranges).octets)
        #expect(answer.acknowledged.ranges.count == 1_000 && answer.acknowledged.contains(2_999))
    }
}
