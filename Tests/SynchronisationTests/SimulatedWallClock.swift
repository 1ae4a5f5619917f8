// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Time

@testable import Synchronisation

/// A client, a network and a server in simulated time.
struct SimulatedWallClock {
    static let epoch: Int64 = 1_700_000_000_000_000_000
    static let local = ClockQuality(precision: Nanoseconds(1), frequencyError: .ppm(50))
    static let start: Int64 = 5_000_000_000_000

    struct Seen {
        let event: WallClockRequester.Event
        /// Since the start.
        let at: Nanoseconds
    }

    var requester: WallClockRequester
    var network: SimulatedNetwork
    var drift: SimulatedDrift
    var random: SplitMix64
    /// Of 100 requests.
    var lost = 0
    var isSilent = false
    /// What the server's clock was stepped by.
    var stepped: Int64 = 0
    var server = ClockQuality(precision: Nanoseconds(1), frequencyError: .ppm(50))
    private(set) var now = Monotonic(nanoseconds: Self.start)
    private(set) var events: [Seen] = []
    private(set) var answered = 0
    private var arrivals: [(message: WallClockResponse, at: Monotonic)] = []

    init(
        _ network: SimulatedNetwork, _ drift: SimulatedDrift, seed: UInt64, pacing: WallClockPacing = WallClockPacing()
    ) {
        requester = WallClockRequester(local: Self.local, pacing: pacing, at: Monotonic(nanoseconds: Self.start))
        (self.network, self.drift) = (network, drift)
        random = SplitMix64(seed: seed)
    }

    /// Since the start.
    var elapsed: Nanoseconds { now - Monotonic(nanoseconds: Self.start) }

    func trueOffset(at instant: Monotonic) -> Int64 {
        Self.epoch + stepped + drift.offset(instant.nanoseconds - Self.start)
    }

    private func wallClock(at instant: Monotonic) -> WallClockInstant {
        WallClockInstant(nanoseconds: instant.nanoseconds + trueOffset(at: instant))
    }

    /// Goes to what happens next.
    mutating func advance() {
        let arrival = arrivals.indices.min { arrivals[$0].at < arrivals[$1].at }
        if let arrival, arrivals[arrival].at <= requester.nextTick {
            let (message, instant) = arrivals.remove(at: arrival)
            now = max(now, instant)
            answered += 1
            perform(requester.responseReceived(message, at: instant))
        } else {
            now = max(now, requester.nextTick)
            perform(requester.tick(at: now))
        }
    }

    mutating func run(until end: Nanoseconds, _ look: (SimulatedWallClock) -> Void = { _ in }) {
        while elapsed < end {
            advance()
            look(self)
        }
    }

    mutating func perform(_ actions: [WallClockRequester.Action]) {
        for action in actions {
            switch action {
            case .report(let event): events.append(Seen(event: event, at: elapsed))
            case .send(let originate):
                let (there, held, back) = network.exchange(&random)
                guard !isSilent, !random.percent(lost) else { continue }
                let received = now + Nanoseconds(there)
                let sent = received + Nanoseconds(held)
                let message = WallClockResponse(
                    .response, originate: originate, requestReceived: wallClock(at: received),
                    responseSent: wallClock(at: sent), server: server)
                arrivals.append((message, sent + Nanoseconds(back)))
            }
        }
    }

    /// Changes the server's clock at once.
    mutating func step(by span: Int64) { stepped += span }

    mutating func changeAddress() { perform(requester.addressChanged(at: now)) }
}
