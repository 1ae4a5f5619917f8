// SPDX-License-Identifier: Apache-2.0
import Forwarding
import JSON
import Journal
import Reporting
import Reports
import System
import Time

/// Makes reports of what the control loop hands over, keeps them in the spool, and sends them as the schedule says.
/// - Thread: that of the reports only, which waits for the disk here.
final class ReportWork {
    /// Age is looked at this often at least.
    private static let longestWait = Nanoseconds.seconds(30)

    private let exchange: ReportThread.Exchange
    private let box: String
    private let directory: String
    private let log: Log
    private let clock: @Sendable () -> Moment
    private var settings = ReportsSettings()
    /// nil if there is no reporter.
    private var making: ReportMaking?
    private var schedule: UploadSchedule?
    private let sending: ReportUpload
    private let enrolment: EnrolmentWork
    private var state = UploadState()
    private var random = SystemRandomNumberGenerator()

    init(
        _ exchange: ReportThread.Exchange, box: String, directory: String, identity: String, log: Log,
        clock: @escaping @Sendable () -> Moment
    ) {
        (self.exchange, self.box, self.directory, self.log, self.clock) = (exchange, box, directory, log, clock)
        sending = ReportUpload { [wakeup = exchange.wakeup] in wakeup.signal() }
        enrolment = EnrolmentWork(box: box, directory: identity, credential: exchange.credential, log: log) {
            [wakeup = exchange.wakeup] in
            wakeup.signal()
        }
    }

    func run() {
        var isRunning = true
        while isRunning {
            // What was posted before the end is done.
            isRunning = !exchange.isStopped.isRaised
            follow(exchange.settings.value)
            for command in exchange.commands.takeAll() {
                perform(command)
                exchange.waiting.wrappingSubtract(1, ordering: .relaxed)
            }
            takeAnswers()
            making?.spool.tick(at: clock())
            let enrols = isRunning ? enrolment.advance() : nil
            let due = isRunning ? advance() : nil
            publish()
            if isRunning {
                let last = SystemClock.monotonic() + Self.longestWait
                exchange.wakeup.wait(
                    until: [due, enrols, making?.spool.nextTick, last].compactMap { $0 }.min() ?? last)
            }
        }
        making?.spool.close(at: clock())
        publish()
        sending.disconnect()
        enrolment.stop()
    }

    private func perform(_ command: ReportThread.Command) {
        switch command {
        case .state(let parts):
            enrolment.name = parts.members["identity"]?["name"]?.string
            making?.make(parts)
        case .events(let events, let moment): making?.make(events, at: moment)
        }
    }

    private func follow(_ new: ReportsSettings) {
        let before = settings
        guard new != before else { return }
        settings = new
        if new.url != before.url { (state.problem, state.answered, state.lastRefusal) = (nil, nil, nil) }
        let moment = clock()
        if new.isElsewhere(than: before) { enrolment.follow(new) }
        guard new.url != nil else {
            making?.spool.close(at: moment)
            making = nil
            return
        }
        sending.restart()
        if let making {
            making.spool.follow(new.spoolOptions, at: moment)
        } else {
            let spool = Spool(SpoolDirectory(directory), new.spoolOptions, at: moment, &random)
            making = ReportMaking(box: box, spool: spool, began: moment.now)
            log(.notice, "reports are kept", ["boot": spool.boot, "pending": spool.counters.pending])
        }
        if schedule == nil {
            schedule = UploadSchedule(box: box, interval: Telemetry.spread(new.interval), at: moment.now)
        } else if new.isElsewhere(than: before) {
            schedule?.restart(at: moment.now)
        }
    }

    // MARK: Sending

    /// - Returns: when there is something to do; nil if that is not known.
    private func advance() -> Monotonic? {
        guard let making, schedule != nil, !enrolment.isUnderWay else { return nil }
        while true {
            let now = SystemClock.monotonic()
            let action = schedule?.next(at: now, &random) { making.spool.summary(octets: $0, at: now) }
            switch action {
            case .send(let request, let batch, _)?:
                let server = settings.upload(of: box, bearer: enrolment.bearer)
                if let server, sending.begin(request, batch, to: server) { continue }
                settle(request, .failed(retryAfter: nil))
            case .abandon?:
                sending.disconnect()
                state.problem = "no answer in time"
            case .wait(let until)?: return until
            case nil: return nil
            }
        }
    }

    private func takeAnswers() {
        for (request, answer) in sending.takeAnswers() {
            settle(request, answer)
            if let status = sending.status, status == 401 || status == 403 { enrolment.refused(status) }
        }
        if enrolment.takeAnswers() { schedule?.restart(at: SystemClock.monotonic()) }
    }

    private func settle(_ request: UInt64, _ answer: UploadAnswer) {
        let moment = clock()
        let failures = schedule?.counters.failures
        let settlement = schedule?.answered(request, answer, at: moment.now, &random)
        if let settlement { making?.spool.settle(settlement, at: moment) }
        let before = state.problem
        if settlement != nil {
            state.answered = moment.now
            state.problem = nil
        } else if schedule?.counters.failures != failures {
            sending.disconnect()
            state.problem = sending.problem ?? "the answer is of none of the reports that were sent"
        }
        state.lastRefusal = sending.lastRefusal
        if let problem = state.problem, problem != before {
            log(.warning, "reports are not taken", ["why": problem])
        } else if before != nil, state.problem == nil {
            log(.notice, "reports are taken again")
        }
        log(.debug, "answer", ["request": request, "pending": making?.spool.counters.pending ?? 0])
    }

    private func publish() {
        let before = state.diskProblem
        if let spool = making?.spool {
            state.spool = spool.counters
            state.boot = spool.boot.description
            state.diskProblem = spool.problem
            let isEmpty = state.spool.pending == 0
            state.oldestPending =
                isEmpty ? nil : spool.summary(octets: 1, at: SystemClock.monotonic()).backlog?.records.first?.time
        } else {
            (state.boot, state.diskProblem, state.oldestPending) = (nil, nil, nil)
        }
        state.uploads = schedule?.counters ?? UploadCounters()
        state.enrolment = enrolment.shown
        exchange.state.set(state)
        if let problem = state.diskProblem, problem != before {
            log(.error, "the disk takes no reports", ["why": problem])
        } else if before != nil, state.diskProblem == nil, making != nil {
            log(.notice, "the disk takes reports again")
        }
    }
}
