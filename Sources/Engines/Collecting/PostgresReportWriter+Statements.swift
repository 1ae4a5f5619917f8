// SPDX-License-Identifier: Apache-2.0

extension PostgresReportWriter {
    /// Each does its work for all rows of a transaction at once: the way to the host and back is what takes time.
    enum Statements {
        static let addStarts = """
            INSERT INTO starts (sender, boot, began, firsts, lasts)
            SELECT s, b, t, '{}', '{}' FROM unnest($1::bigint[], $2::text[], $3::bigint[]) AS n (s, b, t)
            WHERE NOT EXISTS (SELECT FROM starts WHERE sender = s AND boot = b COLLATE "C")
            ON CONFLICT DO NOTHING
            """
        static let starts = """
            SELECT t.start, t.sender, t.boot, t.firsts, t.lasts
            FROM unnest($1::bigint[], $2::text[]) AS n (s, b) JOIN starts t ON t.sender = n.s AND t.boot = n.b COLLATE "C"
            """
        static let grow = """
            UPDATE starts SET firsts = n.f::bigint[], lasts = n.l::bigint[]
            FROM unnest($1::bigint[], $2::text[], $3::text[]) AS n (s, f, l) WHERE start = n.s
            """
        static let latest = """
            SELECT sender, boot, sequence, wall, arrived FROM latest WHERE sender = ANY($1::bigint[])
            """
        static let setLatest = """
            INSERT INTO latest (sender, boot, sequence, arrived, wall, name, box_group, version, state, report)
            SELECT * FROM unnest($1::bigint[], $2::text[], $3::bigint[], $4::bigint[], $5::bigint[], $6::text[], $7::text[],
                $8::text[], $9::text[], $10::text[])
            ON CONFLICT (sender) DO UPDATE SET boot = excluded.boot, sequence = excluded.sequence,
                arrived = excluded.arrived, wall = excluded.wall, name = excluded.name, box_group = excluded.box_group,
                version = excluded.version, state = excluded.state, report = excluded.report
            """
        static let setAccessPoints = """
            INSERT INTO access_points SELECT * FROM unnest($1::text[], $2::text[], $3::text[])
            ON CONFLICT (bssid) DO UPDATE SET name = excluded.name, ssid = excluded.ssid
            WHERE (access_points.name, access_points.ssid) IS DISTINCT FROM (excluded.name, excluded.ssid)
            """

        static func add(_ resolution: Retention.Resolution) -> String {
            let table = PostgresReportTables.air(resolution)
            let arrays = (5...11).map { "$\($0)::bigint[]" }.joined(separator: ", ")
            let columns = PostgresReportTables.sums.map { "n.\($0)" }.joined(separator: ", ")
            return """
                INSERT INTO \(table) (time, bssid, channel, shard, \(PostgresReportTables.sums.joined(separator: ", ")))
                SELECT n.time, n.bssid, n.channel, $4::bigint, \(columns)
                FROM unnest($1::bigint[], $2::text[], $3::bigint[], \(arrays))
                    AS n (time, bssid, channel, \(PostgresReportTables.sums.joined(separator: ", ")))
                ON CONFLICT (time, bssid, channel, shard) DO UPDATE SET \(PostgresReportTables.adding(to: table))
                """
        }
    }
}

extension PostgresReportTables {
    /// Adds to what a row has. Each number stays within ±2⁶⁰, so that no sum of two leaves 64 bits.
    static func adding(to table: String) -> String {
        sums.map { "\($0) = greatest(-\(Int64.most), least(\(Int64.most), \(table).\($0) + excluded.\($0)))" }
            .joined(separator: ", ")
    }
}
