// SPDX-License-Identifier: Apache-2.0
import JSON
import TestSupport
import Testing
import Time

@testable import Reports

@Suite struct AlertTests {
    private static let sample: Alert = {
        var alert = Alert()
        (alert.id, alert.rule, alert.kind, alert.severity) = ("019ac1-1", "far", .signal, .error)
        (alert.box, alert.name, alert.group) = ("box-1", "Gate 4", "north")
        alert.since = WallTime(nanoseconds: 1_795_262_400_250_000_000)
        alert.until = WallTime(nanoseconds: 1_795_262_460_000_000_000)
        (alert.measured, alert.limit, alert.unit) = (.number(-81), .number(-75), "dBm")
        alert.text = "Gate 4 (box-1) hears its access point with -81 dBm; expected at least -75 dBm"
        return alert
    }()

    @Test func whatIsWrittenIsRead() throws {
        #expect(try Alert(parsing: Self.sample.octets) == Self.sample)
        var open = Self.sample
        (open.until, open.box, open.name, open.group, open.unit, open.boxes) = (nil, nil, nil, nil, nil, 100)
        (open.measured, open.limit) = (.word("down"), .word("up"))
        #expect(try Alert(parsing: open.octets) == open && open.isOpen && !Self.sample.isOpen)
    }

    @Test func aReceiverReadsThis() {
        #expect(
            Self.sample.json == [
                "id": "019ac1-1", "rule": "far", "kind": "signal", "severity": "error", "box": "box-1",
                "name": "Gate 4", "group": "north", "boxes": 1, "since": "2026-11-21T12:00:00.250Z",
                "until": "2026-11-21T12:01:00.000Z", "measured": -81, "limit": -75, "unit": "dBm",
                "text": "Gate 4 (box-1) hears its access point with -81 dBm; expected at least -75 dBm",
            ])
    }

    private static let refused: [(patch: JSONValue, message: String)] = [
        (["id": ""], #"/id is ""; expected a text of 1...64 characters"#),
        (["rule": .null], "/rule: expected a text of 1...64 characters"),
        (["kind": "mood"], #"/kind is "mood"; expected one of state, loss, signal, silence"#),
        (["severity": 3], "/severity is 3; expected one of critical, error, warning, notice"),
        (["box": ""], #"/box is ""; expected a text of 1...64 characters"#),
        (["boxes": 0], "/boxes is 0; expected an integer, 1...1099511627776"),
        (["since": "noon"], #"/since is "noon"; expected a time like 2026-11-21T01:02:03Z"#),
        (["unit": "%"], #"/unit is "%"; expected one of ppm, dBm, s"#),
    ]

    @Test(arguments: refused.indices) func whatIsWrongIsNamed(index: Int) {
        let (patch, message) = Self.refused[index]
        let error = thrown(ReportError.self) { try Alert(Self.sample.json.merging(patch: patch)) }
        #expect(error?.description == message)
    }

    @Test func otherMeasuresAreRefused() {
        for value: JSONValue in [1.5, true, [], .null, ""] {
            let error = thrown(ReportError.self) { try Alert(Self.sample.json.merging(patch: ["measured": value])) }
            #expect(error?.description.hasPrefix("/measured") == true, "\(value.text())")
        }
    }

    @Test func unknownMembersAreLeftOut() throws {
        #expect(try Alert(Self.sample.json.merging(patch: ["later": ["a": 1]])) == Self.sample)
    }

    @Test func everyTruncationThrows() {
        let octets = Self.sample.octets
        for count in 0..<octets.count {
            #expect(thrown(ReportError.self) { try Alert(parsing: octets.prefix(count)) } != nil)
        }
        let long = [UInt8](repeating: 0x20, count: Alert.mostOctets + 1)
        #expect(thrown(ReportError.self) { try Alert(parsing: long) } == .tooLong(octets: 8_193, limit: 8_192))
    }

    @Test func noMutationTraps() {
        for seed in 0..<UInt64(Mutation.count()) {
            var mutation = Mutation(seed: seed)
            guard let alert = try? Alert(parsing: mutation.damage(Self.sample.octets)) else { continue }
            #expect(throws: Never.self) { _ = try Alert(alert.json) }
        }
    }
}
