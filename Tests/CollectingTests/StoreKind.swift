// SPDX-License-Identifier: Apache-2.0
import ClusterStore
import Collecting
import Database
import Foundation
import TestSupport
import Time

/// The kinds of store that have to pass the same tests.
enum StoreKind: String, CaseIterable {
    case sqlite, postgres

    /// Without PostgreSQL where it is not installed; that is told.
    static let allCases: [StoreKind] = PostgresServer.isThere ? [.sqlite, .postgres] : [.sqlite]

    /// An empty store.
    func make() throws -> MadeStore {
        switch self {
        case .sqlite:
            let directory = FileManager.default.temporaryDirectory.appending(path: "touchline-collecting-\(UUID())")
            try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
            let path = directory.appending(path: "reports.db").path
            try Database(path).migrate([
                SQLiteReportTables.statements, SQLiteReportTables.alertStatements, SQLiteVenueTables.statements,
            ])
            return MadeStore(.sqlite(path), path: path) {
                try? FileManager.default.removeItem(at: directory)  // a leftover in /tmp hurts nobody
            }
        case .postgres:
            let text = try PostgresServer.shared.get().makeDatabase()
            return MadeStore(.postgres(try ClusterAddress(text)), path: text) {}
        }
    }
}

final class MadeStore {
    let store: ReportStore
    /// Of the file, or the address for libpq.
    let path: String
    private let remove: () -> Void

    init(_ store: ReportStore, path: String, remove: @escaping () -> Void) {
        self.store = store
        self.path = path
        self.remove = remove
    }

    deinit { remove() }
}

enum Samples {
    static let boot = "00000001-0123456789abcdef"
    static let noon = WallTime(nanoseconds: 1_795_780_800_000_000_000)

    static func time(_ seconds: Int64) -> WallTime {
        WallTime(nanoseconds: noon.nanoseconds + Nanoseconds.seconds(seconds).count)
    }

    static func report(_ sequence: Int64, state: String? = "up", wall: WallTime? = nil, air: [AirCount] = [])
        -> IncomingReport
    {
        IncomingReport(
            sequence: sequence, state: state.map { IncomingReport.Summary(name: "Bar", state: $0) }, wall: wall,
            text: #"{"sequence":\#(sequence),"ä":"\u0000"}"#, air: air)
    }

    static func batch(
        _ sequences: [Int64], of box: String = "b-1", boot: String = boot, at seconds: Int64 = 0
    ) -> IncomingBatch {
        IncomingBatch(ReportSource(box: box, boot: boot), sequences.map { report($0) }, arrived: time(seconds))
    }

    static func air(_ bssid: String, _ channel: Int64, packets: Int64, lost: Int64, signal: Int64?) -> AirCount {
        var sums = AirSums()
        (sums.packets, sums.lost, sums.seconds) = (packets, lost, 10)
        if let signal { (sums.signalSum, sums.signalSeconds) = (signal * 10, 10) }
        return AirCount(.init(bssid: bssid, channel: channel), name: "Gate \(channel)", ssid: "Venue", sums)
    }
}
