// SPDX-License-Identifier: Apache-2.0
import Collecting
import Database
import Foundation
import Synchronization
import System
import Time

/// Reports of 1 KiB into a reporter's store, in batches of six, against a bare loop that writes as many rows into the same
/// SQLite. The disk is waited for: the file is in `TMPDIR`.
let collectingBenchmarks: [Benchmark] = {
    var batches = Benchmark(
        name: "collect-reports", operation: "report, on the disk, of batches of six that come together",
        limit: 1e9 / 2_500, timing: ingest.time)
    batches.peer = .init(name: "bare INSERTs, six a transaction") { bare.insert($0, perTransaction: 6) }
    batches.leastSpeed = 0.35
    var groups = Benchmark(
        name: "collect-grouped", operation: "report, on the disk, against transactions that are as large",
        timing: ingest.time)
    groups.peer = .init(name: "bare INSERTs, 2,000 a transaction") { bare.insert($0, perTransaction: 2_000) }
    return [batches, groups]
}()

private let directory: String = {
    let path = FileManager.default.temporaryDirectory.path + "/touchline-bench-\(getpid())"
    do { try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true) } catch {
        fatalError("\(error)")
    }
    atexit { try? FileManager.default.removeItem(atPath: directory) }  // a leftover in /tmp hurts nobody
    return path
}()

private let bare = Bare()
private let ingest = Ingest()
private let text = #"{"report":1,"text":""# + String(repeating: "x", count: 1_000) + #""}"#

/// The table that reports are kept in, and nothing else.
private final class Bare: Sendable {
    private let database: Mutex<Database>

    init() {
        do {
            let database = try Database(directory + "/bare.db")
            try database.execute(
                """
                CREATE TABLE rows (number INTEGER PRIMARY KEY, sender INTEGER, start INTEGER, sequence INTEGER, arrived INTEGER,
                wall INTEGER, isState INTEGER, report TEXT) STRICT
                """)
            self.database = Mutex(database)
        } catch {
            fatalError("\(error)")
        }
    }

    func insert(_ count: Int, perTransaction: Int) -> UInt64 {
        database.withLock { database in
            do {
                for begin in stride(from: 0, to: count, by: perTransaction) {
                    try database.transaction { () throws(DatabaseError) in
                        for number in begin..<min(count, begin + perTransaction) {
                            let value = Database.Value.integer(Int64(number))
                            try database.execute(
                                """
                                INSERT INTO rows (sender, start, sequence, arrived, wall, isState, report)
                                VALUES (?, ?, ?, ?, ?, ?, ?)
                                """, [value, value, value, value, value, value, .text(text)])
                        }
                    }
                }
            } catch {
                fatalError("\(error)")
            }
            return UInt64(count)
        }
    }
}

/// A thousand boxes that send in turn.
private final class Ingest: Sendable {
    private let writer: ReportWriter
    private let rounds = Mutex<[Int64]>(Array(repeating: 1, count: 1_000))

    init() {
        do {
            let path = directory + "/reports.db"
            try Database(path).migrate([SQLiteReportTables.statements, SQLiteReportTables.alertStatements])
            writer = try ReportWriter(.sqlite(path))
        } catch {
            fatalError("\(error)")
        }
        atexit { ingest.writer.stop() }
    }

    /// Reports that are under way at once. Of fewer, only how long a batch waits for others would be measured.
    private static let together = 6_000

    @Sendable
    func time(_ count: Int) -> (UInt64, Nanoseconds) {
        let start = SystemClock.monotonic()
        let result = take(Self.together)
        let span = SystemClock.monotonic() - start
        return (result, Nanoseconds(Int64(Double(span.count) * Double(count) / Double(Self.together))))
    }

    private func take(_ count: Int) -> UInt64 {
        let missing = Missing((count + 5) / 6)
        for number in 0..<(count + 5) / 6 {
            let box = number % 1_000
            let first = rounds.withLock { rounds in
                defer { rounds[box] += 6 }
                return rounds[box]
            }
            var sums = AirSums()
            (sums.packets, sums.seconds) = (1_000, 10)
            let air = [AirCount(.init(bssid: "02:00:00:00:00:\(box % 50)", channel: 36), sums)]
            let reports = (first..<first + 6).map {
                IncomingReport(sequence: $0, state: .init(name: "Bar", state: "up"), wall: nil, text: text, air: air)
            }
            let source = ReportSource(box: "box-\(box)", boot: "00000001-0123456789abcdef")
            writer.submit(IncomingBatch(source, reports, arrived: SystemClock.wall())) { result in
                guard case .success(let outcome) = result, outcome.new == 6 else { fatalError("\(result)") }
                missing.count.wrappingSubtract(1, ordering: .relaxed)
            }
        }
        while missing.count.load(ordering: .relaxed) > 0 { usleep(200) }
        return UInt64(count)
    }
}

/// Batches that are not answered yet.
private final class Missing: Sendable {
    let count: Atomic<Int>

    init(_ count: Int) { self.count = Atomic(count) }
}
