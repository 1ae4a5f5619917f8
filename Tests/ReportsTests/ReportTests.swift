// SPDX-License-Identifier: Apache-2.0
import JSON
import TestSupport
import Testing
import Time

@testable import Reports

@Suite struct ReportTests {
    @Test func whatIsWrittenIsRead() throws {
        let report = Report.sample()
        #expect(try Report(parsing: report.octets) == report)
        #expect(!report.octets.contains(UInt8(ascii: "\n")))
        let bare = Report(
            box: "b", boot: Report.sampleBoot, sequence: UInt64(Int64.max), kind: .event, monotonicMs: 0, wall: nil,
            coversMs: 0, members: ["sequence": 5, "events": []])
        let read = try Report(parsing: bare.octets)
        #expect(read == bare && read.sequence == UInt64(Int64.max) && read.wall == nil && read.kind == .event)
    }

    @Test func unknownMembersAreKept() throws {
        let report = try Report(
            parsing: Report.line(["later": [1], "identity": ["colour": "red"], "wifi": [["interface": "w", "x": [:]]]]))
        #expect(report.document["later"] == [1])
        #expect(report.document.at("/identity/colour") == "red")
    }

    private static let refused: [(patch: JSONValue, message: String)] = [
        (["report": 2], "/report is 2; expected an integer, 1...1"),
        (["report": .null], "/report: expected an integer, 1...1"),
        (["box": ""], #"/box is ""; expected a text of 1...64 characters"#),
        (
            ["boot": "0000000A-0123456789abcdef"],
            #"/boot is "0000000A-0123456789abcdef"; expected the id of a start like 0000000a-0123456789abcdef"#
        ),
        (["sequence": 0], "/sequence is 0; expected an integer from 1"),
        (["sequence": "7"], #"/sequence is "7"; expected an integer from 1"#),
        (["kind": "status"], #"/kind is "status"; expected one of state, event, venue"#),
        (["monotonicMs": -1], "/monotonicMs is -1; expected an integer from 0"),
        (["coversMs": .null], "/coversMs: expected an integer from 0"),
        (["wall": "noon"], #"/wall is "noon"; expected a time like 2026-11-21T01:02:03Z"#),
        (["tags": "vip"], #"/tags is "vip"; expected an array of 0...256 elements"#),
        (["dimensions": ["", "", "", ""]], "/dimensions is an array; expected an array of 0...3 elements"),
        (["service": ["isInVenue": 1]], "/service/isInVenue is 1; expected true or false"),
        (["wifi": [7]], "/wifi/0 is 7; expected an object"),
        (["accessPoints": [[:]]], "/accessPoints/0/bssid: expected a text of 1...64 characters"),
        (["statistics": []], "/statistics is an array; expected an object"),
        (["events": [[]]], "/events/0 is an array; expected an object"),
    ]

    @Test(arguments: refused.indices) func whatIsWrongIsNamed(index: Int) {
        let (patch, message) = Self.refused[index]
        let error = thrown(ReportError.self) { try Report(parsing: Report.line(patch)) }
        #expect(error?.description == message)
    }

    @Test func dimensionsAreBounded() {
        let (most, more) = (String(repeating: "é", count: 256), String(repeating: "é", count: 257))
        #expect(thrown(ReportError.self) { try Report(parsing: Report.line(["dimensions": [.string(most)]])) } == nil)
        #expect(thrown(ReportError.self) { try Report(parsing: Report.line(["dimensions": [.string(more)]])) } != nil)
    }

    @Test func longAndDeepOnesAreRefused() {
        let long = Report.line(["later": .string(String(repeating: "a", count: Report.mostOctets))])
        #expect(
            thrown(ReportError.self) { try Report(parsing: long) }
                == .tooLong(octets: long.count, limit: Report.mostOctets))
        let deep = Array((String(repeating: "[", count: 17) + String(repeating: "]", count: 17)).utf8)
        #expect(thrown(ReportError.self) { try Report(parsing: deep) }?.description.contains("more than 16") == true)
    }

    @Test func everyTruncationThrows() {
        let octets = Report.sample().octets
        for count in 0..<octets.count {
            #expect(thrown(ReportError.self) { try Report(parsing: octets.prefix(count)) } != nil)
        }
    }

    @Test func noMutationTraps() {
        let octets = Report.sample().octets
        for seed in 0..<UInt64(Mutation.count()) {
            var mutation = Mutation(seed: seed)
            let damaged = mutation.damage(octets)
            guard let report = try? Report(parsing: damaged) else { continue }  // refusing is an answer
            #expect(throws: Never.self) { _ = try Report(parsing: report.octets) }
        }
    }
}
