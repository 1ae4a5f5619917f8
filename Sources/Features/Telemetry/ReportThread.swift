// SPDX-License-Identifier: Apache-2.0
import Buffers
import Enrolling
import Forwarding
import JSON
import Journal
import Synchronization
import System
import Time

/// The thread that keeps reports on the disk and sends them. The control loop waits neither for the disk nor for the
/// reporter: it leaves what it has in a queue.
final class ReportThread: Sendable {
    enum Command: Sendable {
        case state(StateParts)
        case events([JSONValue], Moment)
    }

    /// Commands that may wait before `hasRoom` says no, and at most.
    private static let (mostWaiting, limit) = (64, 512)

    /// What both sides share.
    final class Exchange: Sendable {
        let commands: Mailbox<Command>
        let wakeup: Wakeup
        let state = PublishedValue(UploadState())
        /// What is to be followed.
        let settings = PublishedValue(ReportsSettings())
        let isStopped = StopFlag()
        /// Commands that were posted and are not done.
        let waiting = Atomic<Int>(0)
        let credential: BoxCredential

        init(_ credential: BoxCredential) {
            self.credential = credential
            let wakeup = Wakeup()
            self.wakeup = wakeup
            commands = Mailbox(limit: ReportThread.limit) { wakeup.signal() }
        }
    }

    private let exchange: Exchange
    private let thread: DedicatedThread

    init(
        box: String, directory: String, identity: String, credential: BoxCredential, log: Log,
        clock: @escaping @Sendable () -> Moment
    ) throws(SystemCallError) {
        let exchange = Exchange(credential)
        self.exchange = exchange
        thread = try DedicatedThread("reports") {
            ReportWork(exchange, box: box, directory: directory, identity: identity, log: log, clock: clock).run()
        }
    }

    var state: UploadState { exchange.state.value }

    /// Whether the thread has done most of what it was given.
    var hasRoom: Bool { exchange.waiting.load(ordering: .relaxed) < Self.mostWaiting }

    /// - Returns: false if it is not kept, because too many wait.
    func post(_ command: Command) -> Bool {
        exchange.waiting.wrappingAdd(1, ordering: .relaxed)
        let isKept = exchange.commands.post(command)
        if !isKept { exchange.waiting.wrappingSubtract(1, ordering: .relaxed) }
        return isKept
    }

    func follow(_ settings: ReportsSettings) {
        exchange.settings.set(settings)
        exchange.wakeup.signal()
    }

    /// Keeps what was posted and waits for the disk; nothing more is sent.
    func stop() {
        exchange.isStopped.raise()
        exchange.wakeup.signal()
        thread.join()
    }
}
