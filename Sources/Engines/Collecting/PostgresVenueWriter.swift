// SPDX-License-Identifier: Apache-2.0
import ClusterStore
import Reports

/// What the reports of one transaction tell of venues. A venue's row of `senders` is locked, so that no other reporter writes
/// anything of it meanwhile.
struct PostgresVenueWriter {
    struct Told {
        let report: VenueReport
        let venue: Int64
        let start: Int64
        let sequence: Int64
        let newness: Newness
        /// Whether `latest` gets it.
        let isState: Bool
    }

    private struct Row {
        let told: Told
        let box: VenueBox
        let isCurrent: Bool
    }

    private struct BoxKey: Hashable {
        let venue: Int64
        let box: String
    }

    private struct SumKey: Hashable {
        let venue: Int64
        let time: Int64
        let bssid: String
        let channel: Int64
    }

    private let connection: ClusterConnection

    init(_ connection: ClusterConnection) { self.connection = connection }

    /// - Parameter newest: of each sender, before this transaction.
    func write(_ told: [Told], newest: [Int64: Newness]) throws(ClusterError) {
        guard !told.isEmpty else { return }
        let venues = try know(Set(told.map(\.venue)))
        let known = told.filter { venues.keys.contains($0.venue) }
        try writeBoxes(known, venues, newest)
        for resolution in Retention.Resolution.allCases { try writeSums(known, resolution) }
    }

    /// Those of the senders that are venues now, each with how many boxes it may still get.
    private func know(_ senders: Set<Int64>) throws(ClusterError) -> [Int64: Int64] {
        let numbers = ClusterValue.array(senders.sorted().map { $0 })
        let count = try connection.query("SELECT count(*) FROM venues").first?.first.flatMap { $0 }
        let room = max(0, VenueRules.mostVenues - (count.flatMap { Int64($0) } ?? 0))
        try connection.execute(
            """
            INSERT INTO venues SELECT n FROM unnest($1::bigint[]) AS n WHERE NOT EXISTS (
                SELECT FROM venues WHERE sender = n) ORDER BY n LIMIT $2 ON CONFLICT DO NOTHING
            """, [numbers, .integer(room)])
        var venues: [Int64: Int64] = [:]
        for row in try connection.query(
            """
            SELECT v.sender, (SELECT count(*) FROM venue_boxes b WHERE b.venue = v.sender) FROM venues v
            WHERE v.sender = ANY($1::bigint[])
            """, [numbers])
        {
            guard let sender = row[0].flatMap({ Int64($0) }), let boxes = row[1].flatMap({ Int64($0) }) else {
                continue
            }
            venues[sender] = VenueRules.mostBoxes - boxes
        }
        return venues
    }

    private func writeBoxes(
        _ told: [Told], _ venues: [Int64: Int64], _ newest: [Int64: Newness]
    ) throws(ClusterError) {
        var newest = newest
        var rows: [BoxKey: Row] = [:]
        for each in told {
            let before = newest[each.venue]
            let isNewer = before.map { each.newness.isNewer(than: $0) } ?? true
            let isCurrent = isNewer || before?.boot == each.newness.boot
            if isNewer, each.isState { newest[each.venue] = each.newness }
            for box in each.report.boxes {
                let key = BoxKey(venue: each.venue, box: box.box)
                if let row = rows[key] {
                    let isLater =
                        row.told.start == each.start ? each.sequence > row.told.sequence : isCurrent
                    guard isLater else { continue }
                }
                rows[key] = Row(told: each, box: box, isCurrent: isCurrent)
            }
        }
        guard !rows.isEmpty else { return }
        let sorted = rows.values.sorted { ($0.told.venue, $0.box.box) < ($1.told.venue, $1.box.box) }
        let counts = Dictionary(grouping: sorted) { $0.told.venue }.mapValues { Int64($0.count) }
        func hasRoom(_ row: Row) -> Bool { venues[row.told.venue, default: 0] >= counts[row.told.venue, default: 0] }
        try connection.execute(
            Self.setBoxes,
            [
                .array(sorted.map { $0.told.venue }), .array(sorted.map { PostgresReportWriter.storable($0.box.box) }),
                .array(sorted.map { $0.told.start }), .array(sorted.map { $0.told.sequence }),
                .array(sorted.map { PostgresReportWriter.storable($0.box.json.text()) }),
                .array(sorted.map { Int64(hasRoom($0) ? 1 : 0) }), .array(sorted.map { Int64($0.isCurrent ? 1 : 0) }),
            ])
    }

    private func writeSums(_ told: [Told], _ resolution: Retention.Resolution) throws(ClusterError) {
        var sums: [SumKey: VenueSum] = [:]
        for each in told {
            for sum in VenueRules.sums(each.report, resolution) {
                let key = SumKey(venue: each.venue, time: sum.timeMs, bssid: sum.bssid, channel: sum.channel)
                // Two of one transaction: what is told again does not differ but by what came meanwhile.
                if let before = sums[key], before.seconds > sum.seconds { continue }
                sums[key] = sum
            }
        }
        guard !sums.isEmpty else { return }
        let rows = sums.sorted {
            ($0.key.venue, $0.key.time, $0.key.bssid, $0.key.channel)
                < ($1.key.venue, $1.key.time, $1.key.bssid, $1.key.channel)
        }
        func numbers(_ value: (VenueSum) -> Int64) -> ClusterValue { .array(rows.map { value($0.value) }) }
        func texts(_ value: (VenueSum) -> String?) -> ClusterValue {
            .array(rows.map { value($0.value).map(PostgresReportWriter.storable) })
        }
        try connection.execute(
            Self.setSums(resolution),
            [
                .array(rows.map { $0.key.venue }), numbers(\.timeMs), texts(\.bssid), numbers(\.channel),
                texts(\.name), texts(\.ssid), numbers(\.packets), numbers(\.lost), numbers(\.windows),
                numbers(\.failedWindows), numbers(\.seconds), numbers(\.signalSum), numbers(\.signalSeconds),
            ])
    }

    private static let setBoxes = """
        INSERT INTO venue_boxes (venue, box, start, sequence, told, is_current)
        SELECT n.venue, n.box, n.start, n.sequence, n.told, n.is_current <> 0
        FROM unnest($1::bigint[], $2::text[], $3::bigint[], $4::bigint[], $5::text[], $6::bigint[], $7::bigint[])
            AS n (venue, box, start, sequence, told, has_room, is_current)
        WHERE n.has_room <> 0
            OR EXISTS (SELECT FROM venue_boxes b WHERE b.venue = n.venue AND b.box = n.box COLLATE "C")
        ON CONFLICT (venue, box) DO UPDATE SET start = excluded.start, sequence = excluded.sequence, told = excluded.told,
            is_current = excluded.is_current
        WHERE CASE WHEN excluded.start = venue_boxes.start THEN excluded.sequence > venue_boxes.sequence
            ELSE excluded.is_current END
        """

    private static func setSums(_ resolution: Retention.Resolution) -> String {
        let table = PostgresReportTables.venueSums(resolution)
        let columns = "venue, time, bssid, channel, name, ssid, " + PostgresReportTables.sums.joined(separator: ", ")
        let counts = PostgresReportTables.sums.filter { $0 != "signal_sum" }.map {
            "\($0) = greatest(\(table).\($0), excluded.\($0))"
        }
        return """
            INSERT INTO \(table) (\(columns))
            SELECT * FROM unnest($1::bigint[], $2::bigint[], $3::text[], $4::bigint[], $5::text[], $6::text[],
                $7::bigint[], $8::bigint[], $9::bigint[], $10::bigint[], $11::bigint[], $12::bigint[], $13::bigint[])
            ON CONFLICT (venue, time, bssid, channel) DO UPDATE SET name = excluded.name, ssid = excluded.ssid,
                signal_sum = CASE WHEN excluded.signal_seconds > \(table).signal_seconds THEN excluded.signal_sum
                    ELSE \(table).signal_sum END, \(counts.joined(separator: ", "))
            """
    }
}
