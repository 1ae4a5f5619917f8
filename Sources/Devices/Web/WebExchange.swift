// SPDX-License-Identifier: Apache-2.0
internal import CLibWebSockets
import HTTP
import Synchronization

/// Passes commands from the owner's thread to the service thread, and reports back.
///
/// It is bounded because a connection has at most one open request, the `sent` reports of a client are added up, and no
/// connection is accepted while `isFull`.
final class WebExchange: Sendable {
    private static let reportLimit = 2_048

    private struct State {
        var commands: [WebCommand] = []
        var reports: [WebReport] = []
        var sent: [WebClient: Int] = [:]
        /// Address of the library's context; 0 while it must not be woken.
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
            // lws_cancel_service is the only call that another thread may make. It is made under the lock, because the
            // context is destroyed after `close`.
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

    /// Must be called before the context is destroyed.
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
