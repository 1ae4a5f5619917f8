// SPDX-License-Identifier: Apache-2.0
import Forwarding
import JSON
import Reports
import Simulating
import System
import Time
import Venue

/// A run of the reporters of simulated venues against the reporter of a region, until its time is over or a signal ends it.
/// - Thread: one, which waits for nothing but its event loop.
final class VenueSimulator {
    private let options: SimulatorOptions
    private let output: (String) -> Void
    private let links: SenderLinks
    private let began: Monotonic
    private var venues: [SimulatedVenueReporter]
    private var queue: DueQueue
    private var latency = LatencyTally()
    private var lag = LatencyTally()
    /// Of requests with all of their fields.
    private var octets = 0
    private var plainOctets = 0

    /// - Parameter output: takes a line without a line feed.
    /// - Throws: as `SenderLinks`.
    init(_ options: SimulatorOptions, output: @escaping (String) -> Void) throws(Status) {
        (self.options, self.output) = (options, output)
        let count = options.venueCount ?? 1
        links = try SenderLinks(count, options)
        let (now, wall) = (SystemClock.monotonic(), SystemClock.wall())
        began = now
        do throws(SystemCallError) {
            let nonce: UInt64 = try SystemRandom.integer()
            let stories = options.timedStories
            venues = (0..<count).map { number in
                SimulatedVenueReporter(
                    number,
                    SimulatedVenue(
                        boxCount: options.boxCount, seed: options.seed &+ UInt64(number), stories: stories),
                    interval: options.interval, refresh: options.refresh, seed: nonce &+ UInt64(number), at: now,
                    wall: wall)
            }
        } catch {
            throw .failure(.failed, "\(error)")
        }
        queue = DueQueue(boxCount: count)
        for number in 0..<count { queue.set(number, to: began) }
        links.ended = { [unowned self] in ended($0) }
    }

    /// - Throws: code 1 if not everything was acknowledged.
    func run(until signals: borrowing SignalWatch) throws(Status) {
        try links.run(
            until: signals, tell: { [unowned self] in tell(isFinal: false) }, work: work, isOver: { isOver })
        tell(isFinal: true)
        let counters = counters
        guard counters.acknowledged == counters.made else {
            throw .failure(
                .failed, "\(counters.made) reports were made and \(counters.acknowledged) acknowledged; expected all")
        }
    }

    private var counters: SimulatedVenueReporter.Counters {
        venues.reduce(SimulatedVenueReporter.Counters()) { $0 + $1.counters }
    }

    private var isMaking: Bool { options.duration.map { SystemClock.monotonic() - began < $0 } ?? true }

    private var isOver: Bool {
        guard let end = options.duration else { return false }
        let over = SystemClock.monotonic() - began - end
        return over >= SenderLinks.grace || over >= .zero && venues.allSatisfy { $0.pendingCount == 0 }
    }

    private func work() -> Nanoseconds {
        let isMaking = isMaking
        while let (_, number) = queue.pop(until: SystemClock.monotonic()) {
            let (actions, next) = venues[number].actions(at: SystemClock.monotonic(), isMaking: isMaking)
            for action in actions {
                switch action {
                case .abandon: links.abandon(number)
                case .send(let request, let lines):
                    octets += links.send(number, named: venues[number].name, request: request, lines)
                    plainOctets += lines.reduce(0) { $0 + $1.count }
                }
            }
            queue.set(number, to: isMaking ? next : max(next, SystemClock.monotonic() + .milliseconds(100)))
        }
        return queue.next.map { max(.zero, $0 - SystemClock.monotonic()) } ?? .seconds(1)
    }

    private func ended(_ request: SenderLinks.Ended) {
        let (number, now) = (request.sender, SystemClock.monotonic())
        venues[number].answered(request.request, request.answer, at: now)
        if case .judged = request.answer { latency.count(request.took) }
        for each in venues[number].takeLags() { lag.count(each) }
        queue.set(number, to: now)
    }

    // MARK: Telling

    private func tell(isFinal: Bool) {
        let counters = counters
        let elapsed = SystemClock.monotonic() - began
        let backlog = venues.reduce(0) { $0 + $1.pendingCount }
        func times(_ tally: LatencyTally) -> JSONValue {
            [
                "p50": .number(Self.ms(tally.quantile(0.5))), "p99": .number(Self.ms(tally.quantile(0.99))),
                "max": .number(Self.ms(tally.longest)),
            ]
        }
        guard options.isJSON else {
            return output(
                """
                \(isFinal ? "end" : "\(elapsed.seconds) s"): \(venues.count) venues of \(options.boxCount) boxes, \
                \(counters.made) reports made, \(counters.acknowledged) acknowledged, \(counters.refused) refused, \
                backlog \(backlog); \(counters.boxes) states of boxes and \(counters.sums) sums; \(counters.requests) \
                requests, \(counters.failures) failures; lag p50 \(Self.ms(lag.quantile(0.5))) ms, p99 \
                \(Self.ms(lag.quantile(0.99))) ms, max \(Self.ms(lag.longest)) ms
                """)
        }
        let document: JSONValue = [
            "isFinal": .bool(isFinal), "elapsedS": .integer(elapsed.seconds), "venues": .integer(Int64(venues.count)),
            "boxesOfVenue": .integer(Int64(options.boxCount)), "made": .integer(Int64(counters.made)),
            "sent": .integer(Int64(counters.sent)), "acknowledged": .integer(Int64(counters.acknowledged)),
            "refused": .integer(Int64(counters.refused)), "backlog": .integer(Int64(backlog)),
            "requests": .integer(Int64(counters.requests)), "failures": .integer(Int64(counters.failures)),
            "boxes": .integer(Int64(counters.boxes)), "sums": .integer(Int64(counters.sums)),
            "packets": .integer(counters.packets), "heardMs": .integer(venues.reduce(0) { $0 + $1.heardMsOfAll }),
            "octets": .integer(Int64(octets)), "plainOctets": .integer(Int64(plainOctets)), "lagMs": times(lag),
            "latencyMs": times(latency),
        ]
        output(document.text())
    }

    private static func ms(_ time: Nanoseconds) -> Double { Double(time.microseconds / 100) / 10 }
}
