// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Time
import Timelines

@testable import Synchronisation

/// A session with a clock of its own beside a timeline, in simulated time, and the controller that holds it.
struct SimulatedSession {
    static let origin = Monotonic(nanoseconds: 3_000_000_000_000)
    static let normal = ClockSpeed.normal

    struct Seen: Hashable {
        let action: SyncController.Action
        /// Since the start.
        let at: Nanoseconds
    }

    var controller: SyncController
    /// True lateness, nanoseconds.
    var lateness: Double
    /// Parts per million by which the timeline is faster than the session's clock.
    var drift = 0.0
    /// Measurements are off by up to so much either way.
    var noise = Nanoseconds.microseconds(200)
    /// Measurements are rounded up to multiples of it, with an even chance for each place between; zero: are not.
    var vblank = Nanoseconds.zero
    var bound = Nanoseconds.milliseconds(1)
    var measures = true
    var measurementInterval = Nanoseconds.milliseconds(200)
    /// How long the session plays at the old rate after it was told a new one.
    var obeysAfter = Nanoseconds.milliseconds(60)
    var jumpTakes = Nanoseconds.milliseconds(120)
    /// How long the owner takes to know of it.
    var putOffTakes = Nanoseconds.milliseconds(20)
    /// How far it can jump from where it is.
    var reach = Nanoseconds.seconds(-3_600)...Nanoseconds.seconds(3_600)
    /// Else it does nothing when it is told to jump.
    var answersJumps = true
    private(set) var speed: ClockSpeed?
    private(set) var now: Monotonic = Self.origin
    private(set) var seen: [Seen] = []
    private(set) var isPlaying = true
    /// The greatest one and the greatest change at once, parts per billion.
    private(set) var greatestRate: Int64 = 0
    private(set) var greatestStep: Int64 = 0
    /// The greatest change within any second.
    private(set) var greatestChange: Int64 = 0
    private var rates: [(at: Monotonic, rate: Int64)] = [(Self.origin, 0)]
    private var told: [(at: Monotonic, rate: Int64)] = [(Self.origin, 0)]
    private var measuresNext = Self.origin
    private var arrival: (at: Monotonic, span: Nanoseconds)?
    private var random: SplitMix64

    init(_ configuration: SyncConfiguration = SyncConfiguration(), late: Nanoseconds = .zero, seed: UInt64 = 1) {
        controller = SyncController(
            configuration, correlation: ClockCorrelation(parentTicks: 0, ticks: 0), at: Self.origin)
        lateness = Double(late.count)
        random = SplitMix64(seed: seed)
    }

    var elapsed: Nanoseconds { now - Self.origin }
    var late: Nanoseconds { Nanoseconds(Int64(lateness)) }
    /// Jumps, and waits of a picture that stands.
    var jumps: [Seen] {
        seen.filter { seen in
            switch seen.action {
            case .jump, .putOff: true
            case .setRate, .pause, .play, .report: false
            }
        }
    }
    var rate: Int64 { told.last?.rate ?? 0 }

    /// States, and what the session was told to do, rates left out.
    var trace: [String] {
        seen.compactMap { seen in
            switch seen.action {
            case .report(let state): "\(state.rawValue)"
            case .jump: "jump"
            case .putOff: "wait"
            case .pause: "pause"
            case .play: "play"
            case .setRate: nil
            }
        }
    }

    // MARK: Inputs

    mutating func start() { perform(controller.start(at: now)) }

    mutating func stop() { perform(controller.stop(at: now)) }

    mutating func moves(at speed: ClockSpeed = Self.normal) {
        self.speed = speed
        perform(controller.timelineMoves(at: speed, at: now))
    }

    mutating func loses() {
        speed = nil
        perform(controller.timelineLost(at: now))
    }

    /// The timeline jumps ahead.
    mutating func step(by span: Nanoseconds, announced: Bool = true) {
        lateness += Double(span.count)
        if announced, let speed { perform(controller.timelineMoves(at: speed, at: now)) }
    }

    /// A measurement that is wrong.
    mutating func tells(error: Nanoseconds) {
        guard speed != nil, arrival == nil else { return }
        perform(controller.measured(error: error, bound: bound, at: now))
    }

    // MARK: Time

    mutating func run(for span: Nanoseconds, _ look: (SimulatedSession) -> Void = { _ in }) {
        let end = now + span
        while now < end {
            var next = min(end, measuresNext)
            if let tick = controller.nextTick { next = min(next, max(now, tick)) }
            if let arrival { next = min(next, arrival.at) }
            advance(to: next)
            if let (instant, span) = arrival, instant <= now {
                arrival = nil
                lateness -= Double(span.count)
                perform(controller.jumped(at: now), isHeard: false)
            }
            if let tick = controller.nextTick, tick <= now { perform(controller.tick(at: now)) }
            if measuresNext <= now { measure() }
            look(self)
        }
    }

    private mutating func advance(to next: Monotonic) {
        while now < next {
            let change = rates.dropFirst().first.map { max(now, $0.at) } ?? next
            let until = min(next, change)
            let seconds = Double((until - now).count) / 1e9
            // What the timeline moves in these seconds, and what the session does, parts per billion.
            let moved = (speed ?? Self.normal).multiplier * (1e9 + drift * 1e3)
            lateness += seconds * (moved - (isPlaying ? 1e9 + Double(rates[0].rate) : 0))
            now = until
            if rates.count > 1, rates[1].at <= now { rates.removeFirst() }
        }
    }

    private mutating func measure() {
        let jitter = Int64.random(in: -20_000_000...20_000_000, using: &random)
        measuresNext = now + measurementInterval + Nanoseconds(jitter)
        guard measures, speed != nil, arrival == nil else { return }
        var off = Int64.random(in: -noise.count...noise.count, using: &random)
        if vblank > .zero { off += Int64.random(in: 0...vblank.count, using: &random) - vblank.count / 2 }
        perform(controller.measured(error: Nanoseconds(Int64(lateness) + off), bound: bound, at: now))
    }

    private mutating func perform(_ actions: [SyncController.Action], isHeard: Bool = true) {
        let isHeard = isHeard && !actions.contains { if case .putOff = $0 { true } else { false } }
        for action in actions {
            seen.append(Seen(action: action, at: elapsed))
            switch action {
            case .setRate(let rate): set(rate, isHeard: isHeard)
            case .jump(let span): jump(by: span)
            case .putOff(let span): arrival = (now + putOffTakes, .zero - span)
            case .pause: isPlaying = false
            case .play: isPlaying = true
            case .report: break
            }
        }
    }

    /// - Parameter isHeard: false: the sound begins again at this moment.
    private mutating func set(_ rate: Int64, isHeard: Bool) {
        greatestRate = max(greatestRate, abs(rate))
        // A session that is held is silent, whatever rate it will have.
        if isPlaying && isHeard {
            greatestStep = max(greatestStep, abs(rate - self.rate))
            told.append((now, rate))
            while told[1].at <= now - .seconds(1) { told.removeFirst() }
            for earlier in told { greatestChange = max(greatestChange, abs(rate - earlier.rate)) }
            rates.append((now + obeysAfter, rate))
        } else {
            (told, rates) = ([(now, rate)], [(now, rate)])
        }
    }

    private mutating func jump(by span: Nanoseconds) {
        guard answersJumps else { return }
        if reach.contains(span) {
            arrival = (now + jumpTakes, span)
        } else {
            perform(controller.cannotJump(reachable: reach, at: now))
        }
    }
}
