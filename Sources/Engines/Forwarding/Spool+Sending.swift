// SPDX-License-Identifier: Apache-2.0
import System
import Time

/// What is to be sent.
extension Spool {
    /// Reports in one batch.
    public static let mostRecords = 100

    /// - Parameter octets: of a batch's payloads together; a batch has one report at least.
    public func summary(octets: Int, at now: Monotonic) -> SpoolSummary {
        SpoolSummary(newest: pendingState.map { SpoolBatch(boot, [$0]) }, backlog: backlog(octets, at: now))
    }

    private func backlog(_ octets: Int, at now: Monotonic) -> SpoolBatch? {
        for segment in ledger.segments where !unreadable.contains(segment.name) {
            guard !ledger.pending(in: segment).isEmpty else { continue }
            let records = records(of: segment, at: now)
            // What is not there any more was given up just now.
            let pending = ledger.pending(in: segment)
            if let batch = Self.batch(segment.name.boot, records.lazy.filter { pending.contains($0.sequence) }, octets)
            {
                return batch
            }
        }
        return Self.batch(boot, intake.waiting, octets)
    }

    private static func batch(_ boot: BootID, _ records: some Sequence<SpoolRecord>, _ octets: Int) -> SpoolBatch? {
        var (taken, sum): ([SpoolRecord], Int) = ([], 0)
        for record in records.prefix(mostRecords) {
            sum += record.payload.count
            if sum > octets, !taken.isEmpty { break }
            taken.append(record)
        }
        return taken.isEmpty ? nil : SpoolBatch(boot, taken)
    }

    private func records(of segment: Segment, at now: Monotonic) -> [SpoolRecord] {
        if let open = intake.open, open.name == segment.name { return open.records }
        if let loaded, loaded.name == segment.name { return loaded.records }
        let octets: [UInt8]?
        do throws(SystemCallError) {
            octets = try files.read(segment.name.description, limit: SpoolOptions.mostSegmentOctets)
        } catch {
            upkeepFailed(error, at: now)
            unreadable.insert(segment.name)
            return []
        }
        let content = SegmentContent(octets ?? [], of: segment.name.boot, from: segment.name.first)
        let gone = segment.held.subtracting(content.sequences)
        if ledger.giveUp(gone, of: segment.name.boot) > 0 { isStateDirty = true }
        loaded = (segment.name, content.records)
        return content.records
    }
}
