// SPDX-License-Identifier: Apache-2.0
import NetworkFiles
import Testing
import Time
import Venue

@testable import NetworkTrace

@Suite struct MembershipTraceTests {
    private func at(_ seconds: Int64) -> WallTime { WallTime(nanoseconds: seconds * 1_000_000_000) }

    private static func row(_ group: UInt32, on interface: String = "eth0", due: Int? = nil) -> MembershipTable.Row {
        MembershipTable.Row(
            interface: interface, group: NumericAddress(v4: 0xef00_0000 | group), querier: "V3", users: 1,
            reportDueMs: due, isReporter: false)
    }

    private static func entry(
        _ time: WallTime, _ kind: MembershipTrace.Kind, _ group: String?, on interface: String = "eth0"
    ) -> MembershipTrace.Entry {
        MembershipTrace.Entry(time: time, interface: interface, group: group, kind: kind)
    }

    @Test func whatChangesIsKeptWithItsTime() {
        var trace = MembershipTrace()
        #expect(trace.observe([Self.row(1), Self.row(2)], queries: ["eth0": 3], at: at(0)).isEmpty, "the first look")
        #expect(trace.observe([Self.row(1), Self.row(2)], queries: ["eth0": 3], at: at(1)).isEmpty)
        let second = trace.observe(
            [Self.row(2, due: 300), Self.row(3), Self.row(2, on: "wlan0")], queries: ["eth0": 5, "wlan0": 9], at: at(2))
        #expect(
            second == [
                Self.entry(at(2), .left, "239.0.0.1"), Self.entry(at(2), .queryHeard, nil),
                Self.entry(at(2), .reportDue, "239.0.0.2"), Self.entry(at(2), .joined, "239.0.0.3"),
                Self.entry(at(2), .joined, "239.0.0.2", on: "wlan0"),
            ])
        #expect(trace.observe([Self.row(2, due: 200), Self.row(3)], queries: ["eth0": 5], at: at(3)).count == 1)
        #expect(trace.entries.count == 6 && trace.entries.last == Self.entry(at(3), .left, "239.0.0.2", on: "wlan0"))
        #expect(trace.since == [MembershipTrace.Place(interface: "eth0", group: "239.0.0.3"): at(2)])
    }

    @Test func theOldestGiveWay() {
        var trace = MembershipTrace()
        for second in 0..<300 {
            _ = trace.observe(second % 2 == 0 ? [] : [Self.row(7)], queries: [:], at: at(Int64(second)))
        }
        #expect(trace.entries.count == MembershipTrace.limit && trace.entries.last?.time == at(299))
        #expect(trace.entries.first?.time == at(44) && trace.since.count == 1)
    }

    /// A table may have one group twice; it is one.
    @Test func aGroupIsOnce() {
        var trace = MembershipTrace()
        _ = trace.observe([], queries: [:], at: at(0))
        #expect(trace.observe([Self.row(1), Self.row(1)], queries: [:], at: at(1)).count == 1)
    }
}
