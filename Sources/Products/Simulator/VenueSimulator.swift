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
public final class VenueSimulator {
    private static let grace = Nanoseconds.seconds(30)
    private static let lineEach = Nanoseconds.seconds(10)

    private struct Attempt {
        let request: UInt64
        let began: Monotonic
    }

    private let options: SimulatorOptions
    private let token: String
    private let loop: EventLoop
    private let output: (String) -> Void
    private let began: Monotonic
    private var venues: [SimulatedVenueReporter]
    private var queue: DueQueue
    private var links: [BoxLink] = []
    private var attempts: [Attempt?]
    private var latency = LatencyTally()
    private var lag = LatencyTally()
    /// Of requests with all of their fields.
    private var octets = 0
    private var plainOctets = 0
    private var isStopping = false

    /// - Parameter output: takes a line without a line feed.
    /// - Throws: code 78 if the file of the token is none.
    public init(_ options: SimulatorOptions, output: @escaping (String) -> Void) throws(Status) {
        (self.options, self.output) = (options, output)
        token = try Simulator.token(options.tokenFile)
        let count = options.venueCount ?? 1
        do {
            loop = try EventLoop()
            let nonce: UInt64 = try SystemRandom.integer()
            let (now, wall) = (SystemClock.monotonic(), SystemClock.wall())
            began = now
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
        attempts = Array(repeating: nil, count: count)
        queue = DueQueue(boxCount: count)
        for number in 0..<count { queue.set(number, to: began) }
        links = (0..<count).map { number in
            BoxLink(loop, to: options.server) { [unowned self] in ended(number, $0) }
        }
    }

    /// - Throws: code 1 if not everything was acknowledged.
    public func run(until signals: borrowing SignalWatch) throws(Status) {
        do {
            _ = try loop.watch(signals.rawValue, for: .readable) { [unowned self] _ in isStopping = true }
            _ = loop.every(Self.lineEach) { [unowned self] in tell(isFinal: false) }
            while !isOver {
                work()
                let wait = queue.next.map { max(.zero, $0 - SystemClock.monotonic()) } ?? .seconds(1)
                try loop.turn(atMost: min(wait, .seconds(1)))
            }
        } catch {
            throw .failure(.failed, "\(error)")
        }
        for link in links { link.close() }
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
        guard !isStopping, let end = options.duration else { return isStopping }
        let over = SystemClock.monotonic() - began - end
        return over >= Self.grace || over >= .zero && venues.allSatisfy { $0.pendingCount == 0 }
    }

    private func work() {
        let isMaking = isMaking
        while let (_, number) = queue.pop(until: SystemClock.monotonic()) {
            let (actions, next) = venues[number].actions(at: SystemClock.monotonic(), isMaking: isMaking)
            for action in actions {
                switch action {
                case .abandon:
                    attempts[number] = nil
                    links[number].close()
                case .send(let request, let lines):
                    attempts[number] = Attempt(request: request, began: SystemClock.monotonic())
                    let octets = Simulator.request(of: venues[number].name, lines, to: options.server, token)
                    self.octets += octets.count
                    plainOctets += lines.reduce(0) { $0 + $1.count }
                    links[number].send(octets)
                }
            }
            queue.set(number, to: isMaking ? next : max(next, SystemClock.monotonic() + .milliseconds(100)))
        }
    }

    private func ended(_ number: Int, _ ending: BoxLink.Ending) {
        guard let attempt = attempts[number] else { return }
        attempts[number] = nil
        let now = SystemClock.monotonic()
        var answer = UploadAnswer.failed(retryAfter: nil)
        if case .answered(let whole) = ending { answer = Simulator.answer(whole) }
        venues[number].answered(attempt.request, answer, at: now)
        if case .judged = answer { latency.count(now - attempt.began) }
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
            "octets": .integer(Int64(octets)), "plainOctets": .integer(Int64(plainOctets)), "lagMs": times(lag),
            "latencyMs": times(latency),
        ]
        output(document.text())
    }

    private static func ms(_ time: Nanoseconds) -> Double { Double(time.microseconds / 100) / 10 }
}
