// SPDX-License-Identifier: Apache-2.0
import Collecting
import Forwarding
import JSON
import Journal
import Reports
import System
import Time

/// Reads what a region is to be told, keeps it in a spool until the region has it, and then remembers that.
///
/// A round begins when the region has all of the one before: while it is away, nothing piles up but what the store keeps
/// anyway, and afterwards it is told how the boxes are then, and every minute that it missed.
/// - Thread: that of the upstream only, which waits for the disk here.
final class UpstreamWork {
    private static let longestWait = Nanoseconds.seconds(30)
    /// How soon the store is asked again after it did not answer.
    private static let storePause = Nanoseconds.seconds(5)

    private let exchange: Upstream.Exchange
    private let configuration: UpstreamConfiguration
    private let store: ReportStore
    private let placePath: String
    private let log: Log
    private let spool: Spool
    private let sending: ReportUpload
    private var schedule: UploadSchedule
    private var random = SystemRandomNumberGenerator()
    private let began: Monotonic

    private var reader: StoreReader?
    private var digest = VenueDigest()
    private var heard = WallTime(nanoseconds: 0)
    /// nil until it has been read.
    private var place: UpstreamPlace?
    private var round: UpstreamRound?
    /// What the spool had lost when the round began.
    private var lostBefore: Int64 = 0
    private var nextRound: Monotonic
    private var state = UpstreamState()
    private var problem: String?

    init(
        _ exchange: Upstream.Exchange, _ configuration: UpstreamConfiguration, _ server: ReportUpload.Server,
        _ store: ReportStore, database: String, log: Log
    ) {
        (self.exchange, self.configuration, self.store) = (exchange, configuration, store)
        self.log = log
        placePath = database + ".upstream/place.json"
        let moment = Self.moment
        var random = SystemRandomNumberGenerator()
        began = moment.now
        spool = Spool(SpoolDirectory(database + ".upstream/spool"), SpoolOptions(), at: moment, &random)
        sending = ReportUpload(to: server) { [wakeup = exchange.wakeup] in wakeup.signal() }
        schedule = UploadSchedule(box: configuration.venue, interval: configuration.interval, at: moment.now)
        nextRound = moment.now
    }

    private static var moment: Moment { Moment(SystemClock.monotonic(), SystemClock.wall()) }

    func run() {
        log(.notice, "a region is told", ["venue": configuration.venue, "pending": spool.counters.pending])
        while !exchange.isStopped.isRaised {
            for (request, answer) in sending.takeAnswers() { settle(request, answer) }
            spool.tick(at: Self.moment)
            let roundDue = turn()
            let sendDue = advance()
            publish()
            let last = SystemClock.monotonic() + Self.longestWait
            exchange.wakeup.wait(until: [roundDue, sendDue, spool.nextTick, last].compactMap { $0 }.min() ?? last)
        }
        spool.close(at: Self.moment)
        publish()
        sending.disconnect()
    }

    // MARK: Rounds

    /// Ends a round that the region has, and begins the next one if it is time.
    /// - Returns: when that is to be tried again; nil while a round is under way.
    private func turn() -> Monotonic? {
        let now = SystemClock.monotonic()
        guard spool.counters.pending == 0 else { return nil }
        if let round { end(round, at: now) }
        guard round == nil, now >= nextRound else { return nextRound }
        do throws(StoreError) {
            try begin(at: now)
        } catch {
            reader = nil
            state.storeFailures += 1
            log(.warning, "the store does not tell what a region wants", ["why": error.description])
            nextRound = now + Self.storePause
            return nextRound
        }
        return nil
    }

    private func begin(at now: Monotonic) throws(StoreError) {
        let opened = if let reader { reader } else { try store.openReader() }
        reader = opened
        let round = try UpstreamRound(
            opened.forward, &digest, from: try readPlace(), heard: &heard, due: nextRound, at: now,
            wall: SystemClock.wall())
        let alerts = try opened.alerts(AlertQuery(.open, limit: VenueReport.mostAlerts))
            .compactMap { try? JSONValue.parse($0.text) }  // the reporter wrote it
        let moment = Self.moment
        lostBefore = spool.counters.lost + spool.counters.refused
        for report in round.reports(digest, alerts: alerts, interval: configuration.interval) {
            spool.append(.event, at: moment) { sequence in octets(report, sequence, at: moment) }
        }
        self.round = round
    }

    private func octets(_ report: VenueReport, _ sequence: UInt64, at moment: Moment) -> [UInt8] {
        Report(
            box: configuration.venue, boot: spool.boot.description, sequence: sequence, kind: .venue,
            monotonicMs: max(0, Nanoseconds(moment.now.nanoseconds).milliseconds), wall: moment.wall,
            coversMs: max(0, (moment.now - began).milliseconds), members: report.members
        ).octets
    }

    private func readPlace() throws(StoreError) -> UpstreamPlace {
        if let place { return place }
        do throws(SystemCallError) {
            let read = try UpstreamPlace.read(placePath, of: "\(configuration.url) \(configuration.venue)")
            place = read
            return read
        } catch {
            throw StoreError(.failing, "\(error)")
        }
    }

    private func end(_ round: UpstreamRound, at now: Monotonic) {
        self.round = nil
        nextRound = round.hasMore ? now : max(now, round.due + configuration.interval)
        // What was given up or refused is told again with the next round.
        guard spool.counters.lost + spool.counters.refused == lostBefore else {
            log(.warning, "the region has not taken all of it", ["why": sending.lastRefusal ?? "it was given up"])
            nextRound = max(now, round.due + configuration.interval)
            return
        }
        digest.told(round.report.boxes, at: now)
        state.rounds += 1
        state.boxes += Int64(round.report.boxes.count)
        state.sums += Int64(round.report.minutes.count + round.report.hours.count)
        state.lagMs = (now - round.due).milliseconds
        guard round.place != place else { return }
        do throws(SystemCallError) {
            try round.place.write(placePath)
            place = round.place
        } catch {
            // The sums are told again, which changes nothing there.
            log(.warning, "it is not kept up to where the region has the sums", ["why": "\(error)"])
        }
    }

    // MARK: Sending

    /// - Returns: when there is something to do; nil if that is not known.
    private func advance() -> Monotonic? {
        while true {
            let now = SystemClock.monotonic()
            switch schedule.next(at: now, &random, summary: { spool.summary(octets: $0, at: now) }) {
            case .send(let request, let batch, _):
                if !sending.begin(request, batch) { settle(request, .failed(retryAfter: nil)) }
            case .abandon:
                sending.disconnect()
                tell("no answer in time")
            case .wait(let until): return until
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
            sending.disconnect()
            tell(sending.problem ?? "the answer is of none of the reports that were sent")
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

    private func publish() {
        state.uploads = schedule.counters
        state.spool = spool.counters
        state.known = Int64(digest.boxCount)
        exchange.state.set(state)
    }
}
