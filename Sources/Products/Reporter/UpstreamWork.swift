// SPDX-License-Identifier: Apache-2.0
import Collecting
import Forwarding
import JSON
import Journal
import Reports
import System
import Time

/// Reads what a region is to be told, and remembers what the region has.
///
/// A round begins when the region has all of the one before: while it is away, nothing piles up but what the store keeps
/// anyway, and afterwards it is told how the boxes are then, and every minute that it missed.
/// - Thread: that of the upstream only, which waits for the disk here.
final class UpstreamWork {
    private static let longestWait = Nanoseconds.seconds(30)
    /// How soon the store is asked again after it did not answer.
    private static let storePause = Nanoseconds.seconds(5)

    private let exchange: Upstream.Exchange
    private let start: Upstream.Start
    private let sending: UpstreamSending

    private var reader: StoreReader?
    private var digest = VenueDigest()
    /// When the latest state arrived that was read.
    private var heard = WallTime(nanoseconds: 0)
    /// nil until it has been read.
    private var place: UpstreamPlace?
    private var round: UpstreamRound?
    /// What the region had missed when the round began.
    private var missedBefore: Int64 = 0
    private var nextRound = SystemClock.monotonic()
    private var state = UpstreamState()

    init(_ exchange: Upstream.Exchange, _ start: Upstream.Start) {
        (self.exchange, self.start) = (exchange, start)
        sending = UpstreamSending(
            start.configuration, to: start.server, directory: start.directory + "/spool", log: start.log
        ) { [wakeup = exchange.wakeup] in wakeup.signal() }
    }

    func run() {
        let pending = sending.counters.spool.pending
        start.log(.notice, "a region is told", ["venue": start.configuration.venue, "pending": pending])
        while !exchange.isStopped.isRaised {
            sending.takeAnswers()
            let roundDue = turn()
            let sendDue = sending.advance()
            publish()
            let last = SystemClock.monotonic() + Self.longestWait
            exchange.wakeup.wait(until: [roundDue, sendDue, last].compactMap { $0 }.min() ?? last)
        }
        sending.close()
        publish()
    }

    /// Ends a round that the region has, and begins the next one if it is time.
    /// - Returns: when that is to be tried again; nil while a round is under way.
    private func turn() -> Monotonic? {
        let now = SystemClock.monotonic()
        guard sending.isEmpty else { return nil }
        if let round { end(round, at: now) }
        guard now >= nextRound else { return nextRound }
        do throws(StoreError) {
            try begin(at: now)
            return nil
        } catch {
            reader = nil
            state.storeFailures += 1
            start.log(.warning, "the store does not tell what a region wants", ["why": error.description])
            nextRound = now + Self.storePause
            return nextRound
        }
    }

    private func begin(at now: Monotonic) throws(StoreError) {
        let opened = if let reader { reader } else { try start.store.openReader() }
        reader = opened
        let round = try UpstreamRound(
            opened.forward, &digest, from: try readPlace(), heard: &heard, due: nextRound, at: now,
            wall: SystemClock.wall())
        let alerts = try opened.alerts(AlertQuery(.open, limit: VenueReport.mostAlerts))
            .compactMap { try? JSONValue.parse($0.text) }  // the reporter wrote it
        missedBefore = sending.missed
        for report in round.reports(digest, alerts: alerts, interval: start.configuration.interval) {
            sending.append(report)
        }
        self.round = round
    }

    private func readPlace() throws(StoreError) -> UpstreamPlace {
        if let place { return place }
        do throws(SystemCallError) {
            let read = try UpstreamPlace.read(
                start.placePath, of: "\(start.configuration.url) \(start.configuration.venue)")
            place = read
            return read
        } catch {
            throw StoreError(.failing, "\(error)")
        }
    }

    private func end(_ round: UpstreamRound, at now: Monotonic) {
        self.round = nil
        nextRound = max(now, round.due + start.configuration.interval)
        // What was given up or refused is told again with the next round.
        guard sending.missed == missedBefore else {
            let why = sending.lastRefusal ?? "it was given up"
            return start.log(.warning, "the region has not taken all of it", ["why": why])
        }
        if round.hasMore { nextRound = now }
        digest.told(round.report.boxes, at: now)
        state.rounds += 1
        state.boxes += Int64(round.report.boxes.count)
        state.sums += Int64(round.report.minutes.count + round.report.hours.count)
        state.lagMs = (now - round.due).milliseconds
        guard round.place != place else { return }
        do throws(SystemCallError) {
            try round.place.write(start.placePath)
            place = round.place
        } catch {
            // The sums are told again, which changes nothing there.
            start.log(.warning, "it is not kept up to where the region has the sums", ["why": "\(error)"])
        }
    }

    private func publish() {
        (state.uploads, state.spool) = sending.counters
        state.known = Int64(digest.boxCount)
        exchange.state.set(state)
    }
}
