// SPDX-License-Identifier: Apache-2.0
import Collecting
import Statistics
import System

/// Where reports come in and questions about them are answered, while the reporter runs.
final class ReportDesk {
    let writer: ReportWriter
    let reading: ReportReading
    var arrivals = Arrivals()
    var intake = IntakeCounters()
    /// What of the store's trouble was told last.
    private var told: StoreError?

    init(_ store: ReportStore) throws(SystemCallError) {
        let writer = try ReportWriter(store)
        self.writer = writer
        do throws(SystemCallError) {
            reading = try ReportReading(store)
        } catch {
            writer.stop()
            throw error
        }
    }

    /// Writes and answers what waits.
    func stop() {
        writer.stop()
        reading.stop()
    }

    /// The store's trouble if it has changed since the last call; nil in it: there is none any more.
    func changedTrouble() -> StoreError?? {
        let trouble = writer.trouble
        guard trouble?.kind != told?.kind else { return nil }
        told = trouble
        return .some(trouble)
    }
}
