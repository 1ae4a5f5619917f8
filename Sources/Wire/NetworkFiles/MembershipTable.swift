// SPDX-License-Identifier: Apache-2.0
import Venue

/// The multicast groups of this machine, as the kernel lists them (/proc/net/igmp, /proc/net/igmp6).
public struct MembershipTable: Equatable, Sendable {
    public struct Row: Hashable, Sendable {
        public let interface: String
        public let group: NumericAddress
        /// Version of the oldest querier that is heard: V1, V2 or V3; nil for IPv6, whose table does not say.
        public let querier: String?
        /// The number of sockets and others that want the group.
        public let users: Int
        /// The time after which the kernel reports the group, in ms; nil if no report is due.
        public let reportDueMs: Int?
        /// Whether this machine was the last that reported the group, by IGMPv1, IGMPv2 or MLDv1.
        public let isReporter: Bool

        public init(
            interface: String, group: NumericAddress, querier: String?, users: Int, reportDueMs: Int?, isReporter: Bool
        ) {
            self.interface = interface
            self.group = group
            self.querier = querier
            self.users = users
            self.reportDueMs = reportDueMs
            self.isReporter = isReporter
        }
    }

    /// The most rows that are read of a table.
    public static let mostRows = 4_096
    /// The kernel counts the time of its tables in hundredths of a second (USER_HZ).
    private static let tickMs = 10

    public let rows: [Row]

    /// Reads /proc/net/igmp. Each interface has a line, and each of its groups one below it that begins with a tabulator.
    /// Lines of another form are passed over.
    public init(igmp octets: some Sequence<UInt8>) {
        var found: [Row] = []
        var owner: (interface: String, querier: String)?
        for line in Self.lines(of: octets) {
            let words = Self.words(of: line)
            guard line.first == 0x09 else {
                // 2 eth0 : 3 V3
                owner = words.count >= 5 && words[2] == ":" ? (words[1], words[4]) : nil
                continue
            }
            // E00000FB 1 0:00000000 0
            guard let owner, words.count == 4, words[0].utf8.count == 8, let group = UInt32(words[0], radix: 16),
                let users = Int(words[1])
            else { continue }
            let timer = words[2].split(separator: ":", omittingEmptySubsequences: false)
            guard timer.count == 2, let ticks = UInt32(timer[1], radix: 16) else { continue }
            found.append(
                Row(
                    // The kernel prints the four octets as one number of its own order, which is little-endian wherever
                    // we run.
                    interface: owner.interface, group: NumericAddress(v4: group.byteSwapped), querier: owner.querier,
                    users: users, reportDueMs: timer[0] == "1" ? Int(ticks) * Self.tickMs : nil,
                    isReporter: words[3] == "1"))
        }
        rows = found
    }

    /// Reads /proc/net/igmp6, which has a line for each group. Lines of another form are passed over.
    public init(igmp6 octets: some Sequence<UInt8>) {
        rows = Self.lines(of: octets).compactMap { line -> Row? in
            let words = Self.words(of: line)
            // 2 eth0 ff0200000000000000000000000000fb 1 0000000C 0
            guard words.count == 6, words[2].utf8.count == 32, let high = UInt64(words[2].prefix(16), radix: 16),
                let low = UInt64(words[2].suffix(16), radix: 16), let users = Int(words[3]),
                let flags = UInt32(words[4], radix: 16), let ticks = UInt32(words[5])
            else { return nil }
            return Row(
                interface: words[1], group: NumericAddress(v6: high, low), querier: nil, users: users,
                reportDueMs: flags & Self.timerRuns != 0 ? Int(ticks) * Self.tickMs : nil,
                isReporter: flags & Self.wasLast != 0)
        }
    }

    /// MAF_TIMER_RUNNING and MAF_LAST_REPORTER.
    private static let (timerRuns, wasLast): (UInt32, UInt32) = (0x1, 0x2)

    private static func lines(of octets: some Sequence<UInt8>) -> ArraySlice<ArraySlice<UInt8>> {
        Array(octets).split(separator: 0x0a).prefix(mostRows)
    }

    private static func words(of line: ArraySlice<UInt8>) -> [String] {
        line.split(whereSeparator: { $0 == 0x09 || $0 == 0x20 }).map { String(decoding: $0, as: UTF8.self) }
    }
}

/// What an interface has heard and sent of MLD (/proc/net/dev_snmp6/<interface>). The kernel counts no IGMP.
public struct ListenerCounters: Equatable, Sendable {
    public let queriesHeard: UInt64
    public let reportsSent: UInt64

    /// - Returns: nil if the text has no counters of MLD.
    public init?(_ octets: some Sequence<UInt8>) {
        var found: [String: UInt64] = [:]
        for line in Array(octets).split(separator: 0x0a).prefix(1_024) {
            let words = line.split(whereSeparator: { $0 == 0x09 || $0 == 0x20 }).map {
                String(decoding: $0, as: UTF8.self)
            }
            if words.count == 2, words[0].hasPrefix("Icmp6"), let count = UInt64(words[1]) { found[words[0]] = count }
        }
        guard let queries = found["Icmp6InGroupMembQueries"] else { return nil }
        queriesHeard = queries
        reportsSent = (found["Icmp6OutGroupMembResponses"] ?? 0) &+ (found["Icmp6OutMLDv2Reports"] ?? 0)
    }
}
