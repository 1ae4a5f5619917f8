// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing
import Venue

@testable import NetworkFiles

@Suite struct MembershipTableTests {
    /// As Linux 6.1 prints them.
    private static let igmp = """
        Idx\tDevice    : Count Querier\tGroup    Users Timer\tReporter
        1\tlo        :     1      V3
        \t\t\t\t010000E0     1 0:00000000\t\t0
        2\teth0      :     3      V2
        \t\t\t\tFF4DFFEF     2 1:0000012C\t\t0
        \t\t\t\tFB0000E0     1 0:00000000\t\t1
        \t\t\t\t010000E0     1 0:00000000\t\t0

        """
    private static let igmp6 = """
        1    lo              ff020000000000000000000000000001     1 0000000C 0
        2    eth0            ff0200000000000000000001ff000001     1 00000004 0
        2    eth0            ff3e0000000000000000000080000001     3 00000005 250
        2    eth0            ff0500000000000000000000000000fb     1 00000006 0

        """

    private static func row(
        _ interface: String, _ group: String, _ querier: String?, _ users: Int, due: Int? = nil,
        isReporter: Bool = false
    ) throws -> MembershipTable.Row {
        MembershipTable.Row(
            interface: interface, group: try #require(NumericAddress(group)), querier: querier, users: users,
            reportDueMs: due, isReporter: isReporter)
    }

    @Test func theTableOfIPv4() throws {
        let expected = [
            try Self.row("lo", "224.0.0.1", "V3", 1), try Self.row("eth0", "239.255.77.255", "V2", 2, due: 3_000),
            try Self.row("eth0", "224.0.0.251", "V2", 1, isReporter: true), try Self.row("eth0", "224.0.0.1", "V2", 1),
        ]
        #expect(MembershipTable(igmp: Self.igmp.utf8).rows == expected)
    }

    @Test func theTableOfIPv6() throws {
        let expected = [
            try Self.row("lo", "ff02::1", nil, 1), try Self.row("eth0", "ff02::1:ff00:1", nil, 1),
            try Self.row("eth0", "ff3e::8000:1", nil, 3, due: 2_500),
            try Self.row("eth0", "ff05::fb", nil, 1, isReporter: true),
        ]
        #expect(MembershipTable(igmp6: Self.igmp6.utf8).rows == expected)
    }

    @Test(arguments: [
        "", "\n\n", "\t\t\t\t010000E0     1 0:00000000\t\t0\n",
        "1\tlo        :     1      V3\n\t\t\t\tE0     1 0:0\t\t0\n",
        "1\tlo        :     1      V3\n\t\t\t\t010000E0     x 0:00000000\t\t0\n",
        "1\tlo        :     1      V3\n\t\t\t\t010000E0     1 000000000\t\t0\n",
        "2    eth0            ff02     1 0000000C 0\n",
        "2    eth0            ff020000000000000000000000000001     1 C\n",
    ])
    func whatIsNoGroupIsPassedOver(text: String) {
        #expect(MembershipTable(igmp: text.utf8).rows.isEmpty && MembershipTable(igmp6: text.utf8).rows.isEmpty)
    }

    @Test(arguments: 1...60 as ClosedRange<UInt64>) func mutationsNeverTrap(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        for text in [Self.igmp, Self.igmp6] {
            var octets = Array(text.utf8)
            octets = Array(octets.prefix(Int.random(in: 0...octets.count, using: &random)))
            for _ in 0..<6 where !octets.isEmpty {
                octets[Int.random(in: 0..<octets.count, using: &random)] = .random(in: 0...255, using: &random)
            }
            #expect(MembershipTable(igmp: octets).rows.count <= MembershipTable.mostRows)
            #expect(MembershipTable(igmp6: octets).rows.count <= MembershipTable.mostRows)
            _ = ListenerCounters(octets)
        }
    }

    @Test func countersOfMLD() throws {
        let text = """
            ifIndex                         \t2
            Ip6InReceives                   \t13
            Icmp6InGroupMembQueries         \t7
            Icmp6OutGroupMembResponses      \t1
            Icmp6OutMLDv2Reports            \t4
            """
        let counters = try #require(ListenerCounters(text.utf8))
        #expect(counters.queriesHeard == 7 && counters.reportsSent == 5)
        #expect(ListenerCounters("Icmp6InMsgs 4\n".utf8) == nil)
    }
}
