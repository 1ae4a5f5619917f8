// SPDX-License-Identifier: Apache-2.0
import Time

/// Stamps of one kind (PCR, or decoding times) held against their arrivals: unwrapped, and told apart into those that
/// go on, those that a stall delayed, and those of another time line.
struct StampTracker: Sendable {
    enum Verdict: Sendable, Equatable {
        case started, regular
        /// Nothing came for a while, then the stamps went on where they had been.
        case stalled
        /// What followed a stall stays late: the sender had stopped, and the line begins anew.
        case resumed
        /// Fits nothing known, and is not used: garbage, or the first of another time line.
        case doubtful
        case jumped
    }

    /// Larger differences between a stamp and its arrival are jumps.
    static let jump = Nanoseconds.milliseconds(700)
    /// What an earlier stamp than the one before, or one after a gap, may be off without being doubted.
    private static let tolerance = Nanoseconds.milliseconds(100)
    /// Later stamps that must bear out a doubtful one.
    private static let witnesses = 2
    /// How long a burst is given to make up for a stall.
    private static let patience = Nanoseconds.milliseconds(250)

    private let rate: TickRate
    private let modulus: Int64
    private(set) var line: ArrivalLine?
    /// Unwrapped ticks of the newest good stamp.
    private(set) var ticks: Int64 = 0
    /// By how much the newest stamp came later than the line said before it.
    private(set) var excess = Nanoseconds.zero
    private var arrival = Monotonic(nanoseconds: 0)
    private var candidate: (ticks: Int64, arrival: Monotonic, witnesses: Int)?
    private var late: (since: Monotonic, excess: Nanoseconds)?

    init(_ rate: TickRate, modulus: Int64) {
        self.rate = rate
        self.modulus = modulus
    }

    /// The newest good stamp as a span.
    var stamp: Nanoseconds { rate.nanoseconds(ticks) }

    /// - Parameter isDiscontinuity: the stream says that a new time line begins here.
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
    ///   - advance: from the good stamp before.
    ///   - excess: how much later than the line says.
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
            // What became late without a pause is the line's affair: a clock of another rate.
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

/// `raw - expected` in -modulus/2 ..< modulus/2.
func centred(_ raw: Int64, _ expected: Int64, _ modulus: Int64) -> Int64 {
    var difference = (raw &- expected % modulus) % modulus
    if difference < 0 { difference &+= modulus }
    return difference >= modulus / 2 ? difference &- modulus : difference
}
