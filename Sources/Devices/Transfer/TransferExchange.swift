// SPDX-License-Identifier: Apache-2.0
internal import CLibCurl
import Synchronization

/// Passes requests from the owner's thread to the client's, and reports back.
final class TransferExchange: Sendable {
    enum Command: Sendable {
        case begin(TransferClient.Transfer, TransferRequest)
        case stop
    }

    private struct State {
        var commands: [Command] = []
        var reports: [TransferClient.Report] = []
        /// Address of libcurl's multi handle; 0 while it must not be woken.
        var multi: UInt = 0
    }

    private let state = Mutex(State())
    private let wake: @Sendable () -> Void

    init(wake: @escaping @Sendable () -> Void) { self.wake = wake }

    // MARK: The owner's side

    func post(_ command: Command) {
        state.withLock { state in
            state.commands.append(command)
            // The only call that another thread may make; under the lock, because the handle goes after `close`. A wake-up
            // that fails delays the command until the thread looks by itself.
            if let multi = UnsafeMutableRawPointer(bitPattern: state.multi) { _ = curl_multi_wakeup(multi) }
        }
    }

    func takeReports() -> [TransferClient.Report] {
        state.withLock { state in
            defer { state.reports = [] }
            return state.reports
        }
    }

    // MARK: The client's thread

    func open(_ multi: UnsafeMutableRawPointer) {
        let address = UInt(bitPattern: multi)
        state.withLock { $0.multi = address }
    }

    /// Must be called before the handle goes.
    func close() { state.withLock { $0.multi = 0 } }

    func takeCommands() -> [Command] {
        state.withLock { state in
            defer { state.commands = [] }
            return state.commands
        }
    }

    func report(_ report: TransferClient.Report) {
        let isFirst = state.withLock { state in
            state.reports.append(report)
            return state.reports.count == 1
        }
        if isFirst { wake() }
    }
}
