// SPDX-License-Identifier: Apache-2.0
import System
import Time

/// From memory to the disk.
extension Spool {
    /// Writes what waits, and flushes if it is time.
    func write(at moment: Moment) {
        writeRetry = nil
        closeFullSegment(for: 0, at: moment.now)
        while let record = intake.waiting.first {
            closeFullSegment(for: record.octetCount, at: moment.now)
            guard writeRetry == nil, makeRoom(for: record.octetCount, at: moment), put(record, at: moment.now) else {
                writeRetry = moment.now + options.retryPause
                break
            }
        }
        let isDue = lastFlush.map { moment.now - $0 >= options.flushPause } ?? true
        if intake.hasUnflushedEvent || isDue { flush(at: moment.now) }
    }

    /// - Parameter octets: of the record that is to be written next.
    private func closeFullSegment(for octets: Int, at now: Monotonic) {
        guard let open = intake.open, let segment = ledger.segments.last else { return }
        let isFull = segment.octets + octets > options.segmentOctets
        guard isFull || now - open.opened >= options.segmentSpan else { return }
        if flush(at: now) { intake.close() }
    }

    /// Writes the oldest record that waits.
    /// - Returns: false if the disk did not take it.
    private func put(_ record: SpoolRecord, at now: Monotonic) -> Bool {
        let octets = record.octets(of: boot)
        let open = intake.open?.name
        let name = open ?? SegmentName(boot, record.sequence)
        do throws(SystemCallError) {
            if open != nil {
                try files.extend(name.description, by: octets)
            } else {
                // An attempt that failed may have left a file of this name.
                ledger.remove(name)
                if loaded?.name == name { loaded = nil }
                strays.insert(name.description)
                try files.create(name.description, with: octets)
                strays.remove(name.description)
                ledger.append(Segment(name, octets: 0))
                intake.opened(name, at: now)
            }
        } catch {
            writeFailed(error, at: now)
            return false
        }
        intake.wrote()
        ledger.extend(by: record, at: now)
        return true
    }

    /// - Returns: whether everything that was written is on the disk.
    @discardableResult
    func flush(at now: Monotonic) -> Bool {
        guard let open = intake.open, intake.hasUnflushed else { return true }
        do throws(SystemCallError) {
            try files.flush(open.name.description)
            if open.flushed == 0 { try files.flushNames() }
        } catch {
            writeFailed(error, at: now)
            return false
        }
        intake.flushed()
        lastFlush = now
        return true
    }

    /// What the open segment may not have is written again, to another segment.
    private func writeFailed(_ error: SystemCallError, at now: Monotonic) {
        noteFailure(error)
        writeRetry = now + options.retryPause
        let hadOpen = intake.open != nil
        let settled = ledger.state.settled[boot] ?? RangeSet()
        let doubtful = intake.failed(isGone: error.code == .notFound, settled: settled)
        if hadOpen { ledger.withdraw(doubtful) }
    }
}
