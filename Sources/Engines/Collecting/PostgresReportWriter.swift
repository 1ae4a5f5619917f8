// SPDX-License-Identifier: Apache-2.0
import ClusterStore
import Time

/// Writes reports into PostgreSQL, beside other reporters that do the same. A transaction locks the rows of its boxes before it
/// reads what was kept of them, so that it knows what others have kept, and takes all its locks in the same order as they do.
/// - Thread: the one that made it.
final class PostgresReportWriter {
    private struct Start {
        let number: Int64
        let sender: Int64
        let before: ReceivedSequences
        var received: ReceivedSequences
    }

    private struct Newest {
        let newness: Newness
        let report: IncomingReport
    }

    /// What one transaction has to write.
    private struct Work {
        var starts: [ReportSource: Start] = [:]
        var rows: [[ClusterValue]] = []
        var air = AirGroup()
        var boxes = BoxGroup()
        /// By the boxes' numbers.
        var newest: [Int64: Newest] = [:]
        var venues: [PostgresVenueWriter.Told] = []
    }

    /// How often a transaction is tried that another one was in the way of.
    private static let attempts = 5

    private let connection: ClusterConnection
    private let retention: Retention
    private let shard: Int64
    /// Numbers of boxes, which stay for ever.
    private var senders: [String: Int64] = [:]
    private var accessPoints: [String: [String?]] = [:]
    /// Days whose tables are there.
    private var days: Set<Int64> = []

    var isUsable: Bool { connection.isUsable }

    init(_ connection: ClusterConnection, _ retention: Retention) throws(ClusterError) {
        self.connection = connection
        self.retention = retention
        try connection.endAbandonedCommits()
        try PostgresReportTables.migrate(connection)
        let process = try connection.query("SELECT pg_backend_pid()").first?.first.flatMap { $0 }
        shard = (process.flatMap { Int64($0) } ?? 0) % PostgresReportTables.shards
    }

    func commit(_ batches: [IncomingBatch]) throws(ClusterError) -> [BatchOutcome] {
        var attempt = 1
        while true {
            do throws(ClusterError) {
                return try commitOnce(batches)
            } catch {
                (senders, accessPoints, days) = ([:], [:], [])
                // Deadlocks, and a day that another reporter has just thrown away.
                let isLock = error.state == "55P03"  // it has been waited for long enough
                let mayPass = (error.kind == .serialisation && !isLock) || error.kind == .conflict
                guard mayPass, attempt < Self.attempts, connection.isUsable else { throw error }
                attempt += 1
            }
        }
    }

    private func commitOnce(_ batches: [IncomingBatch]) throws(ClusterError) -> [BatchOutcome] {
        for day in Set(batches.map { Retention.day(of: $0.arrived) }).subtracting(days).sorted() {
            try PostgresReportTables.makeReports(day: day, connection)
            days.insert(day)
        }
        var outcomes: [BatchOutcome] = []
        try connection.transaction { () throws(ClusterError) in
            // Something is written in any case, so that the disk has its say.
            guard !batches.isEmpty else {
                return try connection.run("UPDATE touchline_schema SET version = version")
            }
            try findSenders(batches)
            var work = Work()
            try lockSenders(batches)
            try findStarts(batches, &work)
            outcomes = batches.map { keep($0, &work) }
            try write(work)
        }
        return outcomes
    }

    /// Does a part of what is to be thrown away.
    func keepUp(at now: WallTime) throws(ClusterError) -> Bool {
        do throws(ClusterError) {
            return try PostgresUpkeep(connection, retention).portion(at: now) { day in days.remove(day) }
        } catch {
            // Somebody reads what is old just now. It goes another time.
            guard error.kind == .serialisation, connection.isUsable else { throw error }
            return false
        }
    }

    // MARK: What is there

    private func findSenders(_ batches: [IncomingBatch]) throws(ClusterError) {
        if senders.count >= ReportStore.mostBoxes { senders = [:] }
        var unknown = Set(batches.map(\.source.box)).filter { senders[$0] == nil }.sorted(by: Self.isBefore)
        for isSecond in [false, true] where !unknown.isEmpty {
            if isSecond {
                let count = try connection.query("SELECT count(*) FROM senders").first?.first.flatMap { $0 }
                let room = max(0, Int64(ReportStore.mostBoxes) - (count.flatMap { Int64($0) } ?? 0))
                try connection.execute(
                    "INSERT INTO senders (box) SELECT unnest($1::text[]) ON CONFLICT DO NOTHING",
                    [.array(unknown.prefix(Int(room)).map { $0 })])
            }
            for row in try connection.query(
                "SELECT sender, box FROM senders WHERE box = ANY($1::text[])", [.array(unknown.map { $0 })])
            {
                if let number = row[0].flatMap({ Int64($0) }), let box = row[1] { senders[box] = number }
            }
            unknown = unknown.filter { senders[$0] == nil }
        }
    }

    private static func isBefore(_ one: String, _ other: String) -> Bool {
        one.utf8.lexicographicallyPrecedes(other.utf8)
    }

    /// From now on nobody else writes anything of these boxes, and what others have written is seen.
    private func lockSenders(_ batches: [IncomingBatch]) throws(ClusterError) {
        let numbers = Set(batches.compactMap { senders[$0.source.box] })
        try connection.execute(
            "SELECT 1 FROM senders WHERE sender = ANY($1::bigint[]) ORDER BY sender FOR NO KEY UPDATE",
            [.array(numbers.map { $0 })])
    }

    private func findStarts(_ batches: [IncomingBatch], _ work: inout Work) throws(ClusterError) {
        var wanted: [ReportSource: (sender: Int64, began: Int64)] = [:]
        for batch in batches where wanted[batch.source] == nil {
            guard let sender = senders[batch.source.box] else { continue }
            wanted[batch.source] = (sender, batch.arrived.milliseconds)
        }
        let sources = wanted.keys.sorted { ($0.box, $0.boot) < ($1.box, $1.boot) }
        let values: [ClusterValue] = [
            .array(sources.map { wanted[$0]?.sender }), .array(sources.map { $0.boot }),
            .array(sources.map { wanted[$0]?.began }),
        ]
        try connection.execute(Statements.addStarts, values)
        var bySender: [Int64: String] = [:]
        for source in sources { if let sender = wanted[source]?.sender { bySender[sender] = source.box } }
        for row in try connection.query(Statements.starts, Array(values.prefix(2))) {
            guard let number = row[0].flatMap({ Int64($0) }), let sender = row[1].flatMap({ Int64($0) }),
                let boot = row[2], let box = bySender[sender],
                let firsts = row[3].flatMap({ [Int64](clusterArray: $0) }),
                let lasts = row[4].flatMap({ [Int64](clusterArray: $0) })
            else { throw ClusterError(.other, "a row of starts is none of ours") }
            let received = ReceivedSequences(firsts: firsts, lasts: lasts)
            work.starts[ReportSource(box: box, boot: boot)] = Start(
                number: number, sender: sender, before: received, received: received)
        }
    }

    // MARK: Reports

    private func keep(_ batch: IncomingBatch, _ work: inout Work) -> BatchOutcome {
        guard var start = work.starts[batch.source] else {
            return BatchOutcome(refusing: batch)
        }
        let (outcome, new) = BatchOutcome.judging(batch, by: &start.received)
        for report in new {
            work.rows.append([
                .integer(start.sender), .integer(start.number), .integer(report.sequence),
                .integer(batch.arrived.milliseconds), .optional(report.wall?.milliseconds),
                .text(report.state == nil ? "f" : "t"), .text(Self.storable(report.text)),
            ])
            for count in report.air {
                work.air.add(Self.storable(count), at: batch.arrived)
                work.boxes.add(count.sums, of: start.sender, at: batch.arrived)
            }
            if report.state != nil { Self.take(report, batch, start.sender, &work) }
            if let venue = report.venue {
                work.venues.append(
                    PostgresVenueWriter.Told(
                        report: venue, venue: start.sender, start: start.number, sequence: report.sequence,
                        newness: Newness(batch, report), isState: report.state != nil))
            }
        }
        work.starts[batch.source] = start
        return outcome
    }

    private static func take(_ report: IncomingReport, _ batch: IncomingBatch, _ sender: Int64, _ work: inout Work) {
        let newness = Newness(batch, report)
        if let old = work.newest[sender]?.newness, !newness.isNewer(than: old) { return }
        work.newest[sender] = Newest(newness: newness, report: report)
    }

    /// PostgreSQL's texts have no U+0000, which JSON's may have.
    static func storable(_ text: String) -> String {
        text.utf8.contains(0) ? text.replacing("\0", with: "\u{fffd}") : text
    }

    private static func storable(_ count: AirCount) -> AirCount {
        AirCount(
            AirCount.Place(bssid: storable(count.place.bssid), channel: count.place.channel),
            name: count.name.map(storable), ssid: count.ssid.map(storable), count.sums)
    }

    private func write(_ work: Work) throws(ClusterError) {
        if !work.rows.isEmpty {
            try connection.copy(
                work.rows, into: "reports (sender, start, sequence, arrived, wall, is_state, report)")
        }
        let changed = work.starts.values.filter { $0.received != $0.before }.sorted { $0.number < $1.number }
        if !changed.isEmpty {
            // An array of arrays has one length for all of them; so they go as texts.
            func texts(_ bound: (ClosedRange<Int64>) -> Int64) -> ClusterValue {
                .array(
                    changed.map { .some("{" + $0.received.ranges.map { "\(bound($0))" }.joined(separator: ",") + "}") })
            }
            try connection.execute(
                Statements.grow,
                [.array(changed.map { $0.number }), texts { $0.lowerBound }, texts { $0.upperBound }])
        }
        let known = try newnesses(of: Set(work.newest.keys).union(work.venues.map(\.venue)))
        try PostgresVenueWriter(connection).write(work.venues, newest: known)
        try writeLatest(
            work.newest.filter { row in known[row.key].map { row.value.newness.isNewer(than: $0) } ?? true })
        try write(work.air)
        try PostgresBoxSums.write(work.boxes, connection)
    }

    /// How new the newest state is that is kept of each box; a box without a state is absent.
    private func newnesses(of senders: Set<Int64>) throws(ClusterError) -> [Int64: Newness] {
        guard !senders.isEmpty else { return [:] }
        var known: [Int64: Newness] = [:]
        for row in try connection.query(Statements.latest, [.array(senders.map { $0 })]) {
            guard let sender = row[0].flatMap({ Int64($0) }), let boot = row[1],
                let sequence = row[2].flatMap({ Int64($0) }), let arrived = row[4].flatMap({ Int64($0) })
            else { continue }
            known[sender] = Newness(
                boot: boot, sequence: sequence, wall: row[3].flatMap { Int64($0) }.map { WallTime(milliseconds: $0) },
                arrived: WallTime(milliseconds: arrived))
        }
        return known
    }

    private func writeLatest(_ newest: [Int64: Newest]) throws(ClusterError) {
        let rows = newest.sorted { $0.key < $1.key }
        guard !rows.isEmpty else { return }
        func texts(_ value: (IncomingReport.Summary) -> String?) -> ClusterValue {
            .array(rows.map { row in row.value.report.state.flatMap(value).map(Self.storable) })
        }
        try connection.execute(
            Statements.setLatest,
            [
                .array(rows.map { $0.key }), .array(rows.map { $0.value.newness.boot }),
                .array(rows.map { $0.value.newness.sequence }),
                .array(rows.map { $0.value.newness.arrived.milliseconds }),
                .array(rows.map { $0.value.newness.wall?.milliseconds }), texts(\.name), texts(\.group),
                texts(\.version), texts(\.state), .array(rows.map { Self.storable($0.value.report.text) }),
            ])
    }

    // MARK: Access points

    private func write(_ air: AirGroup) throws(ClusterError) {
        let named = air.names.filter { accessPoints[$0.key] != $0.value }.sorted { $0.key < $1.key }
        if !named.isEmpty {
            if accessPoints.count >= ReportStore.mostBoxes { accessPoints = [:] }
            func texts(_ place: Int) -> ClusterValue { .array(named.map { $0.value[place] }) }
            try connection.execute(
                Statements.setAccessPoints, [.array(named.map { $0.key }), texts(0), texts(1)])
            for (bssid, names) in named { accessPoints[bssid] = names }
        }
        for resolution in Retention.Resolution.allCases {
            let rows = air.sums(of: resolution).sorted {
                ($0.key.time, $0.key.place.bssid, $0.key.place.channel)
                    < ($1.key.time, $1.key.place.bssid, $1.key.place.channel)
            }
            guard !rows.isEmpty else { continue }
            func numbers(_ value: (AirSums) -> Int64) -> ClusterValue { .array(rows.map { value($0.value) }) }
            try connection.execute(
                Statements.add(resolution),
                [
                    .array(rows.map { $0.key.time }), .array(rows.map { $0.key.place.bssid }),
                    .array(rows.map { $0.key.place.channel }), .integer(shard), numbers(\.packets), numbers(\.lost),
                    numbers(\.windows), numbers(\.failedWindows), numbers(\.seconds), numbers(\.signalSum),
                    numbers(\.signalSeconds),
                ])
        }
    }
}

extension ReceivedSequences {
    init(firsts: [Int64], lasts: [Int64]) {
        self.init(zip(firsts, lasts).compactMap { $0 <= $1 ? $0...$1 : nil })
    }
}
