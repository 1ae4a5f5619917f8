// SPDX-License-Identifier: Apache-2.0
internal import CLibWebSockets
import Synchronization

/// Passes commands from the owner's thread to the service thread, and reports back.
///
/// The reports are bounded: the `sent` octets of a connection are added up, its messages are counted until the owner
/// takes them, its other reports are few, and a server accepts no connection while `isFull`.
final class WebExchange<Command: Sendable, Report: Sendable>: Sendable {
    private struct Unread {
        var messages = 0
        var octets = 0
    }

    private struct State {
        var commands: [Command] = []
        var reports: [Report] = []
        /// By the number of the connection.
        var sent: [UInt64: Int] = [:]
        /// By the number of the connection.
        var unread: [UInt64: Unread] = [:]
        /// Address of the library's context; 0 while it must not be woken.
        var context: UInt = 0
    }

    private let state = Mutex(State())
    private let wake: @Sendable () -> Void

    /// - Parameter wake: tells the owner that there are reports; called on the service thread.
    init(wake: @escaping @Sendable () -> Void) { self.wake = wake }

    // MARK: The owner's side

    func post(_ command: Command) {
        state.withLock { state in
            state.commands.append(command)
            // lws_cancel_service is the only call that another thread may make. It is made under the lock, because the
            // context is destroyed after `close`.
            guard state.commands.count == 1, let context = OpaquePointer(bitPattern: state.context) else { return }
            lws_cancel_service(context)
        }
    }

    /// The reports since the last call, in order, and what was sent meanwhile by the number of the connection.
    func takeReports() -> (sent: [UInt64: Int], reports: [Report]) {
        state.withLock { state in
            let taken = (state.sent, state.reports)
            state.reports = []
            state.sent = [:]
            state.unread = [:]
            return taken
        }
    }

    // MARK: The service thread's side

    func open(_ context: OpaquePointer) {
        let address = UInt(bitPattern: context)
        state.withLock { $0.context = address }
    }

    /// Must be called before the context is destroyed.
    func close() { state.withLock { $0.context = 0 } }

    func takeCommands() -> [Command] {
        state.withLock { state in
            guard !state.commands.isEmpty else { return [] }
            let taken = state.commands
            state.commands = []
            return taken
        }
    }

    var isFull: Bool { state.withLock { $0.reports.count >= 2_048 } }

    func report(_ report: Report) {
        let isFirst = state.withLock { state in
            state.reports.append(report)
            return state.reports.count == 1
        }
        if isFirst { wake() }
    }

    /// Reports a message.
    /// - Parameter limit: what one connection may leave unread.
    /// - Returns: false if it would be more; nothing is reported then.
    func report(
        _ report: Report, octets: Int, from connection: UInt64, limit: (messages: Int, octets: Int)
    ) -> Bool {
        let isFirst: Bool? = state.withLock { state in
            var unread = state.unread[connection] ?? Unread()
            unread.messages += 1
            unread.octets += octets
            guard unread.messages <= limit.messages, unread.octets <= limit.octets else { return nil }
            state.unread[connection] = unread
            state.reports.append(report)
            return state.reports.count == 1
        }
        if isFirst == true { wake() }
        return isFirst != nil
    }

    func sent(_ octets: Int, to connection: UInt64) {
        let isFirst = state.withLock { state in
            state.sent[connection, default: 0] += octets
            return state.sent.count == 1
        }
        if isFirst { wake() }
    }
}
