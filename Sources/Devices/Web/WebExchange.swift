// SPDX-License-Identifier: Apache-2.0
internal import CLibWebSockets
import HTTP
import Synchronization

/// Between the service thread and the owner's: commands there, reports back.
///
/// Bounded by what both sides keep to: one open request a connection, `sent` of one client added up, and no connection
/// accepted while `isFull`.
final class WebExchange: Sendable {
    private static let reportLimit = 2_048

    private struct State {
        var commands: [WebCommand] = []
        var reports: [WebReport] = []
        var sent: [WebClient: Int] = [:]
        /// The library's context, as an address; 0 when it takes no wake-ups.
        var context: UInt = 0
    }

    private let state = Mutex(State())
    private let wake: @Sendable () -> Void

    /// - Parameter wake: tells the owner that there are reports; called on the service thread.
    init(wake: @escaping @Sendable () -> Void) { self.wake = wake }

    // MARK: The owner's side

    func post(_ command: WebCommand) {
        state.withLock { state in
            state.commands.append(command)
            // Under the lock: the context is destroyed behind `close`. The one call that other threads may make.
            guard state.commands.count == 1, let context = OpaquePointer(bitPattern: state.context) else { return }
            lws_cancel_service(context)
        }
    }

    func takeReports() -> [WebReport] {
        state.withLock { state in
            let sent = state.sent.map { WebReport.sent($0.key, octets: $0.value) }
            let reports = sent + state.reports
            state.reports = []
            state.sent = [:]
            return reports
        }
    }

    // MARK: The service thread's side

    func open(_ context: OpaquePointer) {
        let address = UInt(bitPattern: context)
        state.withLock { $0.context = address }
    }

    /// Before the context is destroyed.
    func close() { state.withLock { $0.context = 0 } }

    func takeCommands() -> [WebCommand] {
        state.withLock { state in
            guard !state.commands.isEmpty else { return [] }
            let taken = state.commands
            state.commands = []
            return taken
        }
    }

    var isFull: Bool { state.withLock { $0.reports.count >= Self.reportLimit } }

    func report(_ report: WebReport) {
        let isFirst = state.withLock { state in
            state.reports.append(report)
            return state.reports.count == 1
        }
        if isFirst { wake() }
    }

    func sent(_ octets: Int, to client: WebClient) {
        let isFirst = state.withLock { state in
            state.sent[client, default: 0] += octets
            return state.sent.count == 1
        }
        if isFirst { wake() }
    }
}
