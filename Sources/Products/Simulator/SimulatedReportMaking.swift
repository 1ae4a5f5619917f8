// SPDX-License-Identifier: Apache-2.0
import Forwarding
import Reports
import Simulating
import Time

/// Writes the reports that simulated boxes keep, when they are to be sent.
struct SimulatedReportMaking {
    let venue: SimulatedVenue
    /// What boxes' clocks say at the start of the simulation.
    let wall: WallTime

    /// What a box has to send: the newest state alone, or the oldest reports.
    func summary(of pending: PendingReports, box: Int, octets: Int) -> SpoolSummary {
        if let (start, entry) = pending.newest {
            return SpoolSummary(newest: SpoolBatch(start.boot, [record(box, start, entry)]), backlog: nil)
        }
        guard let (start, entries) = pending.oldest else { return SpoolSummary(newest: nil, backlog: nil) }
        var (records, sum): ([SpoolRecord], Int) = ([], 0)
        for entry in entries {
            let record = record(box, start, entry)
            sum += record.payload.count
            if sum > octets, !records.isEmpty { break }
            records.append(record)
        }
        return SpoolSummary(newest: nil, backlog: SpoolBatch(start.boot, records))
    }

    private func record(_ box: Int, _ start: PendingReports.Start, _ entry: PendingReports.Entry) -> SpoolRecord {
        let time = WallTime(nanoseconds: wall.nanoseconds + entry.made.count)
        let members =
            entry.isEvent
            ? ["events": venue.events(of: box, from: entry.last, to: entry.made) ?? []]
            : venue.state(of: box, sequence: entry.sequence, since: start.since, last: entry.last, at: entry.made)
        let report = Report(
            box: venue.identifier(of: box), boot: start.boot.description, sequence: entry.sequence,
            kind: entry.isEvent ? .event : .state, monotonicMs: entry.made.milliseconds, wall: time,
            coversMs: (entry.made - entry.last).milliseconds, members: members)
        return SpoolRecord(entry.sequence, entry.isEvent ? .event : .state, time, report.octets)
    }
}
