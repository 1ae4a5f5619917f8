// SPDX-License-Identifier: Apache-2.0
import Synchronization
import System

/// Passes reports from the watch's thread to its owner, and the owner's wishes back.
final class RadioExchange: Sendable {
    /// Reports that wait for the owner. Events beyond that are dropped, and the owner is told that some are missing.
    private static let mostReports = 1_000

    private struct State {
        var reports: [RadioWatch.Report] = []
        var hasLost = false
        var isStopped = false
        var wantsLook = false
    }

    let wait: DescriptorWait
    private let state = Mutex(State())
    private let wake: @Sendable () -> Void

    init(wake: @escaping @Sendable () -> Void) throws(SystemCallError) {
        wait = try DescriptorWait()
        self.wake = wake
    }

    // MARK: The owner's side

    func takeReports() -> [RadioWatch.Report] {
        state.withLock { state in
            defer { (state.reports, state.hasLost) = ([], false) }
            return state.hasLost ? state.reports + [.lost] : state.reports
        }
    }

    func look() {
        state.withLock { $0.wantsLook = true }
        wait.wake()
    }

    func stop() {
        state.withLock { $0.isStopped = true }
        wait.wake()
    }

    // MARK: The thread's side

    var isStopped: Bool { state.withLock { $0.isStopped } }

    func takeWish() -> Bool {
        state.withLock { state in
            defer { state.wantsLook = false }
            return state.wantsLook
        }
    }

    func post(_ report: RadioWatch.Report) {
        let isFirst = state.withLock { state in
            if case .observed = report {
                // The newest figures are those that count.
                state.reports.removeAll { if case .observed = $0 { true } else { false } }
            } else if state.reports.count >= Self.mostReports {
                state.hasLost = true
                return false
            }
            state.reports.append(report)
            return state.reports.count == 1
        }
        if isFirst { wake() }
    }
}
