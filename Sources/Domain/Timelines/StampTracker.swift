// SPDX-License-Identifier: Apache-2.0
import Time

/// Compares stamps of one kind (PCR, or decoding times) with their arrivals. It unwraps them, and tells apart stamps
/// that continue the timeline, stamps that a stall delayed, and stamps of another timeline.
struct StampTracker: Sendable {
    enum Verdict: Sendable, Equatable {
        case started, regular
        /// Nothing came for a while, and then the stamps continued where they had been.
        case stalled
        /// The stamps stay late after a stall: the sender had paused, and the line begins again.
        case resumed
        /// The stamp fits no known timeline and is not used: it is damaged, or the first of another timeline.
        case doubtful
        case jumped
    }

    /// A stamp that differs from its expected arrival by more than this is a jump.
    static let jump = Nanoseconds.milliseconds(700)
    /// The deviation up to which a stamp that goes backwards or follows a gap is accepted.
    private static let tolerance = Nanoseconds.milliseconds(100)
    /// Later stamps that must confirm a doubtful one.
    private static let witnesses = 2
    /// The time in which a burst must begin to make up for a stall.
    private static let patience = Nanoseconds.milliseconds(250)

    private let rate: TickRate
    private let modulus: Int64
    private(set) var line: ArrivalLine?
    /// The newest accepted stamp in unwrapped ticks.
    private(set) var ticks: Int64 = 0
    /// The time by which the newest stamp came later than the line predicted.
    private(set) var excess = Nanoseconds.zero
    private var arrival = Monotonic(nanoseconds: 0)
    private var candidate: (ticks: Int64, arrival: Monotonic, witnesses: Int)?
    private var late: (since: Monotonic, excess: Nanoseconds)?

    init(_ rate: TickRate, modulus: Int64) {
        self.rate = rate
        self.modulus = modulus
    }

    /// The newest accepted stamp as a span.
    var stamp: Nanoseconds { rate.nanoseconds(ticks) }

    /// - Parameter isDiscontinuity: whether the stream declares that a new timeline begins here.
    mutating func received(_ raw: UInt64, isDiscontinuity: Bool = false, at now: Monotonic) -> Verdict {
        let raw = Int64(raw % UInt64(modulus))
        guard let level = line?.value(at: now) else {
            ticks = raw
            arrival = now
            line = ArrivalLine(Nanoseconds(now.nanoseconds) - stamp, at: now)
            return .started
        }
        let new = nearest(raw, to: rate.ticks(Nanoseconds(now.nanoseconds) - level))
        let difference = Nanoseconds(now.nanoseconds) - rate.nanoseconds(new)
        excess = difference - level
        if isDiscontinuity, excess < .milliseconds(-5) || excess > max(.milliseconds(20), line?.jitterPeak ?? .zero) {
            return restart(new, difference, at: now, as: .jumped)
        }
        guard isPlausible(rate.nanoseconds(new) - stamp, excess) else { return doubted(raw, new, difference, at: now) }
        candidate = nil
        let pause = now - arrival
        ticks = new
        arrival = max(arrival, now)
        let verdict = lateness(excess, after: pause, at: now)
        if verdict == .resumed { return restart(new, difference, at: now, as: .resumed) }
        line?.add(difference, at: now)
        return verdict
    }

    /// - Parameters:
    ///   - advance: time since the last accepted stamp.
    ///   - excess: time by which the stamp is later than the line predicts.
    private func isPlausible(_ advance: Nanoseconds, _ excess: Nanoseconds) -> Bool {
        if advance >= .zero, advance <= Self.jump { return excess >= -Self.jump }
        return excess >= -Self.tolerance && excess <= (advance > .zero ? Self.jump : Self.tolerance)
    }

    private mutating func lateness(_ excess: Nanoseconds, after pause: Nanoseconds, at now: Monotonic) -> Verdict {
        guard excess > Self.jump else {
            late = nil
            return .regular
        }
        guard let before = late else {
            // Stamps that become late without a pause come from a clock of another rate, which the line follows.
            guard pause > Self.jump else { return .regular }
            late = (now, excess)
            return .stalled
        }
        let elapsed = now - before.since
        guard elapsed >= Self.patience else { return .regular }
        guard before.excess - excess < elapsed / 4 else {
            late = (now, excess)
            return .regular
        }
        return .resumed
    }

    private mutating func doubted(_ raw: Int64, _ new: Int64, _ difference: Nanoseconds, at now: Monotonic) -> Verdict {
        if let before = candidate {
            let elapsed = now - before.arrival
            let next = nearest(raw, to: before.ticks &+ rate.ticks(elapsed))
            let advance = rate.nanoseconds(next &- before.ticks)
            if advance >= .zero, advance <= Self.jump, (elapsed - advance).magnitude <= Self.jump {
                guard before.witnesses + 1 < Self.witnesses else {
                    return restart(new, difference, at: now, as: .jumped)
                }
                candidate = (next, now, before.witnesses + 1)
                return .doubtful
            }
        }
        candidate = (new, now, 0)
        return .doubtful
    }

    private mutating func restart(
        _ new: Int64, _ difference: Nanoseconds, at now: Monotonic, as verdict: Verdict
    ) -> Verdict {
        ticks = new
        arrival = now
        candidate = nil
        late = nil
        line?.restart(difference, at: now)
        return verdict
    }

    private func nearest(_ raw: Int64, to expected: Int64) -> Int64 { expected &+ centred(raw, expected, modulus) }
}

/// `raw - expected`, in -modulus/2 ..< modulus/2.
func centred(_ raw: Int64, _ expected: Int64, _ modulus: Int64) -> Int64 {
    var difference = (raw &- expected % modulus) % modulus
    if difference < 0 { difference &+= modulus }
    return difference >= modulus / 2 ? difference &- modulus : difference
}
