// SPDX-License-Identifier: Apache-2.0
import Simulating
import System
import Time
import Venue

/// A run of simulated boxes against a real reporter, until its time is over or a signal ends it.
/// - Thread: one, which waits for nothing but its event loop.
final class Simulator {
    private let options: SimulatorOptions
    private let output: (String) -> Void
    private let links: SenderLinks
    private let began: Monotonic
    private var fleet: SimulatedFleet
    private var clock: SimulatedClock
    private var tally = SimulatorTally()

    /// - Parameter output: takes a line without a line feed.
    /// - Throws: as `SenderLinks`.
    init(_ options: SimulatorOptions, output: @escaping (String) -> Void) throws(Status) {
        (self.options, self.output) = (options, output)
        links = try SenderLinks(options.boxCount, options)
        let stories = options.timedStories
        clock = SimulatedClock(outage: stories.first { $0.name == .outage }?.span, speed: options.speed)
        began = SystemClock.monotonic()
        let wall = WallTime(nanoseconds: SystemClock.wall().nanoseconds - clock.lead.count)
        do throws(SystemCallError) {
            // Boots of two runs differ, though the venue is the same.
            let nonce: UInt64 = try SystemRandom.integer()
            fleet = SimulatedFleet(
                SimulatedVenue(boxCount: options.boxCount, seed: options.seed, stories: stories),
                interval: options.interval, seed: nonce, at: began, wall: wall)
        } catch {
            throw .failure(.failed, "\(error)")
        }
        fleet.end = options.end.map { began + $0 }
        links.ended = { [unowned self] in ended($0) }
    }

    /// - Throws: code 1 if it did not go as it has to.
    func run(until signals: borrowing SignalWatch) throws(Status) {
        try links.run(
            until: signals, tell: { [unowned self] in tell(isFinal: false) }, work: work, isOver: { isOver })
        tell(isFinal: true)
        try judge()
    }

    /// The boxes' time.
    private var now: Monotonic {
        clock.advance(to: SystemClock.monotonic() - began)
        return began + clock.simulated
    }

    private var isOver: Bool {
        guard let end = options.end else { return false }
        let over = now - began - end
        return over >= SenderLinks.grace || over >= .zero && fleet.pendingCount == 0
    }

    private func work() -> Nanoseconds {
        for action in fleet.actions(until: now) {
            switch action {
            case .abandon(let box): links.abandon(box)
            case .send(let box, let request, let lines):
                tally.sent(lines.count, at: SystemClock.monotonic() - began)
                links.send(box, named: fleet.venue.identifier(of: box), request: request, lines)
            }
        }
        let next = fleet.nextDue.map { max(.zero, $0 - now) } ?? .seconds(1)
        return min(next, clock.isInOutage ? .milliseconds(5) : .seconds(1))
    }

    private func ended(_ request: SenderLinks.Ended) {
        let acknowledged = fleet.answered(request.sender, request.request, request.answer, at: now)
        guard case .judged = request.answer else { return }
        tally.answered(request.took, acknowledged: acknowledged, at: SystemClock.monotonic() - began)
    }

    // MARK: Telling

    private func tell(isFinal: Bool) {
        let (elapsed, simulated) = (SystemClock.monotonic() - began, now - began)
        output(
            tally.line(fleet, elapsed: elapsed, simulated: simulated, isFinal: isFinal, isJSON: options.isJSON))
    }

    private func judge() throws(Status) {
        if options.isWithoutFaults, fleet.counters.acknowledged < fleet.counters.made {
            throw .failure(
                .failed,
                "\(fleet.counters.made) reports were made and \(fleet.counters.acknowledged) acknowledged; expected all"
            )
        }
        guard let capacity = options.capacity, tally.mostArrived > 2 * Int(capacity) else { return }
        throw .failure(
            .failed,
            "\(tally.mostArrived) reports came in one second; expected at most twice the capacity of \(capacity)")
    }
}
