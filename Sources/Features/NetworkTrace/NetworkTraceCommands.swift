// SPDX-License-Identifier: Apache-2.0
import Commands
import Hosting
import NetworkFiles
import Shapes
import System
import Time
import Venue

struct ShowGroups: Command {
    static let about = About(
        "igmp", "Show the multicast groups of the box as its kernel has them",
        help: """
            IGMP and MLD, of all programs of the machine. QUERIER is the oldest version of IGMP that was heard on the \
            interface; DUE is when the next report leaves. REPORTER is of IGMPv1, IGMPv2 and MLDv1 alone: in newer versions \
            every host reports.
            """, example: "")
    static let shape = Shape<Self>()

    func run(on trace: NetworkTrace) throws(Status) -> GroupTable {
        let channels = trace.sources.channels()
        let table = trace.table()
        return GroupTable(
            rows: table.map { row in
                let group = row.group.description
                return GroupTable.Row(
                    row: row, channel: channels[group],
                    since: trace.trace.since[MembershipTrace.Place(interface: row.interface, group: group)])
            }, mldQueries: trace.queries(of: table).values.reduce(0, &+),
            tracedFor: trace.tracedFor(at: SystemClock.monotonic()))
    }
}

struct GroupTable: Answer {
    struct Row: Answer {
        let row: MembershipTable.Row
        let channel: String?
        let since: WallTime?

        static let shape = Shape<Self>([
            .value("interface", \.row.interface, .text, "where it is joined"),
            .computed("group", .text, "its address") { $0.row.group.description },
            .computed("channel", .text, "the channel of the box that is received by it; absent: none") { $0.channel },
            .value("users", \.row.users, .count, "sockets and others that want it"),
            .computed("querier", .text, "V1, V2 or V3, the oldest that was heard; absent for IPv6") { $0.row.querier },
            .computed("dueMs", .count, "milliseconds until the next report; absent: none is due") {
                $0.row.reportDueMs
            },
            .value("isReporter", \.row.isReporter, .boolean, "whether the box was the last that reported it"),
            .computed("since", .text, "when a trace saw that it was joined, by RFC 3339; absent: none did") {
                $0.since?.description
            },
        ])
    }

    let rows: [Row]
    let mldQueries: UInt64
    let tracedFor: Int?

    static let shape = Shape<Self>([
        .value("groups", \.rows, .list(of: .row), "of IPv4, then of IPv6"),
        .value("mldQueries", \.mldQueries, .count, "queries of MLD that were heard since the machine started"),
        .unlessNil("tracedForS", \.tracedFor, .count, "seconds for which changes are traced; absent: they are not"),
    ])
}

struct ShowGroupTrace: Command {
    static let about = About(
        "igmp-trace", "Show how the multicast groups of the box changed while they were traced",
        help: """
            config set network.debug.igmpTrace true begins it, for network.debug.minutes. The kernel's tables are looked at \
            once a second: what changes back within a second is not seen, nor is what others report.
            """, example: "")
    static let shape = Shape<Self>()

    func run(on trace: NetworkTrace) throws(Status) -> GroupTrace {
        GroupTrace(
            entries: trace.trace.entries.map { GroupTrace.Row(entry: $0) },
            tracedFor: trace.tracedFor(at: SystemClock.monotonic()))
    }
}

struct GroupTrace: Answer {
    struct Row: Answer {
        let entry: MembershipTrace.Entry

        static let shape = Shape<Self>([
            .computed("time", .text, "when it was seen, by RFC 3339") { $0.entry.time.description },
            .value("interface", \.entry.interface, .text, "where"),
            .computed("group", .text, "its address; absent: all of the interface") { $0.entry.group },
            .value(
                "what", \.entry.kind, .choice,
                "joined; left; reportDue: for a query or a join; queryHeard: of MLD, for all groups"),
        ])
    }

    let entries: [Row]
    let tracedFor: Int?

    static let shape = Shape<Self>([
        .value("changes", \.entries, .list(of: .row), "the newest 256, the oldest first"),
        .unlessNil("tracedForS", \.tracedFor, .count, "seconds for which the trace goes on; absent: it does not"),
    ])
}

struct NetworkDebugEnded: FeatureEvent {
    static let about = EventAbout(
        .network, "debugEnded", "The time of network.debug is over: it logs and traces no more.")
    static let shape = Shape<Self>()
}
