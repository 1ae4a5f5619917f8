// SPDX-License-Identifier: Apache-2.0
import Buffers
import Collecting
import Forwarding
import Journal
import System

/// Tells a region how this venue is, on a thread of its own.
final class Upstream: Sendable {
    private let exchange: Exchange
    private let thread: DedicatedThread

    /// What both sides share.
    final class Exchange: Sendable {
        let wakeup = Wakeup()
        let isStopped = StopFlag()
        let state = PublishedValue(UpstreamState())
    }

    /// - Parameter database: of the reporter; what waits for the region is kept beside it.
    init(
        _ configuration: UpstreamConfiguration, _ server: ReportUpload.Server, _ store: ReportStore, database: String,
        log: Log
    ) throws(SystemCallError) {
        let exchange = Exchange()
        self.exchange = exchange
        thread = try DedicatedThread("upstream") {
            UpstreamWork(exchange, configuration, server, store, database: database, log: log).run()
        }
    }

    var state: UpstreamState { exchange.state.value }

    /// What waits stays on the disk.
    func stop() {
        exchange.isStopped.raise()
        exchange.wakeup.signal()
        thread.join()
    }
}
