// SPDX-License-Identifier: Apache-2.0
import Collecting
import HTTP
import Statistics
import System
import Time
import Web

/// Where reports come in and questions about them are answered, while the reporter runs.
final class ReportDesk {
    let writer: ReportWriter
    let reading: ReportReading
    var arrivals = Arrivals()
    var intake = IntakeCounters()
    /// Requests with reports that have not been looked at.
    var queue: IntakeQueue<(client: WebClient, request: HTTPRequest)>
    var pressure = Pressure()
    /// Has the loop look at the queue once more.
    let wake: () -> Void
    let alerts: AlertDesk
    /// What of the store's trouble was told last.
    private var told: StoreError?

    init(
        _ store: ReportStore, _ alerts: AlertConfiguration, wake: @escaping () -> Void
    ) throws(SystemCallError) {
        self.wake = wake
        let writer = try ReportWriter(store)
        self.writer = writer
        queue = IntakeQueue(limit: Arrivals.Limits().delay / 2)
        var opened: ReportReading?
        do throws(SystemCallError) {
            let reading = try ReportReading(store)
            opened = reading
            self.reading = reading
            self.alerts = try AlertDesk(store, alerts) { writer.trouble == nil }
        } catch {
            opened?.stop()
            writer.stop()
            throw error
        }
    }

    /// Writes and answers what waits.
    func stop() {
        writer.stop()
        reading.stop()
        alerts.stop()
    }

    /// The store's trouble if it has changed since the last call; nil in it: there is none any more.
    func changedTrouble() -> StoreError?? {
        let trouble = writer.trouble
        guard trouble?.kind != told?.kind else { return nil }
        told = trouble
        return .some(trouble)
    }
}
