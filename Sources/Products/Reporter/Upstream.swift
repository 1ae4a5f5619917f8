// SPDX-License-Identifier: Apache-2.0
import Buffers
import Collecting
import Forwarding
import Journal
import System

/// Tells a region how this venue is, on a thread of its own.
/// - Thread: the loop's only.
final class Upstream {
    /// What the thread begins with.
    struct Start: Sendable {
        let configuration: UpstreamConfiguration
        let server: ReportUpload.Server
        let store: ReportStore
        /// Of what waits for the region, beside the reporter's database.
        let directory: String
        let log: Log

        var placePath: String { directory + "/place.json" }
    }

    /// What both sides share.
    final class Exchange: Sendable {
        let wakeup = Wakeup()
        let isStopped = StopFlag()
        let state = PublishedValue(UpstreamState())
    }

    private let start: Start
    private let exchange = Exchange()
    private var thread: DedicatedThread?

    /// nil if the reporter has no region.
    init?(_ configuration: ReporterConfiguration, _ store: ReportStore, log: Log) {
        guard let upstream = configuration.upstream, let server = upstream.server else { return nil }
        start = Start(
            configuration: upstream, server: server, store: store, directory: configuration.database + ".upstream",
            log: log)
    }

    func begin() throws(SystemCallError) {
        thread = try DedicatedThread("upstream") { [exchange, start] in UpstreamWork(exchange, start).run() }
    }

    var state: UpstreamState { exchange.state.value }

    /// What waits stays on the disk.
    func stop() {
        exchange.isStopped.raise()
        exchange.wakeup.signal()
        thread?.join()
        thread = nil
    }
}
