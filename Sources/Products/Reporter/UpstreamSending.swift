// SPDX-License-Identifier: Apache-2.0
import Forwarding
import Journal
import Reports
import System
import Time

/// Keeps what a region is told until the region has it, and sends it as the schedule says.
/// - Thread: that of the upstream only, which waits for the disk here.
final class UpstreamSending {
    private let venue: String
    private let log: Log
    private let spool: Spool
    private let server: ReportUpload.Server
    private let upload: ReportUpload
    private var schedule: UploadSchedule
    private var random = SystemRandomNumberGenerator()
    private let began: Monotonic
    private var problem: String?

    /// - Parameters:
    ///   - directory: of the spool.
    ///   - wake: called on another thread when there are answers.
    init(
        _ configuration: UpstreamConfiguration, to server: ReportUpload.Server, directory: String, log: Log,
        wake: @escaping @Sendable () -> Void
    ) {
        (venue, self.server, self.log) = (configuration.venue, server, log)
        let moment = Self.moment
        var random = SystemRandomNumberGenerator()
        began = moment.now
        spool = Spool(SpoolDirectory(directory), SpoolOptions(), at: moment, &random)
        upload = ReportUpload(wake: wake)
        schedule = UploadSchedule(box: venue, interval: configuration.interval, at: moment.now)
    }

    private static var moment: Moment { Moment(SystemClock.monotonic(), SystemClock.wall()) }

    /// Whether the region has everything, or it was given up.
    var isEmpty: Bool { spool.counters.pending == 0 }
    /// Reports that the region will not have.
    var missed: Int64 { spool.counters.lost + spool.counters.refused }
    var lastRefusal: String? { upload.lastRefusal }
    var counters: (uploads: UploadCounters, spool: SpoolCounters) { (schedule.counters, spool.counters) }

    func append(_ report: VenueReport) {
        let moment = Self.moment
        spool.append(.event, at: moment) { sequence in
            Report(
                box: venue, boot: spool.boot.description, sequence: sequence, kind: .venue,
                monotonicMs: max(0, Nanoseconds(moment.now.nanoseconds).milliseconds), wall: moment.wall,
                coversMs: max(0, (moment.now - began).milliseconds), members: report.members
            ).octets
        }
    }

    func takeAnswers() {
        for (request, answer) in upload.takeAnswers() { settle(request, answer) }
        spool.tick(at: Self.moment)
    }

    /// - Returns: when there is something to do; nil if that is not known.
    func advance() -> Monotonic? {
        while true {
            let now = SystemClock.monotonic()
            switch schedule.next(at: now, &random, summary: { spool.summary(octets: $0, at: now) }) {
            case .send(let request, let batch, _):
                if !upload.begin(request, batch, to: server) { settle(request, .failed(retryAfter: nil)) }
            case .abandon:
                upload.disconnect()
                tell("no answer in time")
            case .wait(let until): return [until, spool.nextTick].compactMap { $0 }.min()
            }
        }
    }

    private func settle(_ request: UInt64, _ answer: UploadAnswer) {
        let moment = Self.moment
        let failures = schedule.counters.failures
        if let settlement = schedule.answered(request, answer, at: moment.now, &random) {
            spool.settle(settlement, at: moment)
            tell(nil)
        } else if schedule.counters.failures != failures {
            upload.disconnect()
            tell(upload.problem ?? "the answer is of none of the reports that were sent")
        }
    }

    private func tell(_ new: String?) {
        if let new, new != problem {
            log(.warning, "the region does not take what it is told", ["why": new])
        } else if problem != nil, new == nil {
            log(.notice, "the region takes what it is told again")
        }
        problem = new
    }

    func close() {
        spool.close(at: Self.moment)
        upload.disconnect()
    }
}
