// SPDX-License-Identifier: Apache-2.0
import Time

/// The clock of a received stream: rate and smoothness from its clock references held against their arrivals, base from
/// its units, which are complete at their decoding times; of a stream without references from the units alone. Sound that
/// multiplexers send later than the pictures of its instant (ffmpeg's packs up to 350 ms into one PES packet) is waited
/// for where there are references.
///
/// Follows its target by at most 0.5 % of elapsed time. It steps only to acquire: for 2 s after the first unit, after a
/// jump, to a target more than 700 ms away, and when the references that it followed turn out to be no clock. While it
/// acquires, each step is towards better evidence: a stamp that the network delayed less than all before, or a unit that
/// had less slack.
///
/// Sans I/O (rule 11); allocates in `init` only. Any stamps and arrivals may be given.
public struct StreamClock: Sendable {
    private static let acquisition = Nanoseconds.seconds(2)
    /// 0.5 %; of a small error 0.05 %, which no tone betrays.
    private static let slewDivisor: Int64 = 200
    private static let gentleDivisor: Int64 = 2_000
    private static let smallError = Nanoseconds.milliseconds(20)
    /// A difference is made up for in this time, when 0.5 % allow it: a millisecond becomes a rate that nobody hears.
    private static let approach = Nanoseconds.seconds(8)
    private static let lockedWithin = Nanoseconds.milliseconds(2)
    /// References that have stayed away for this long, and for so many units, come no more.
    private static let silence = Nanoseconds.seconds(3)
    private static let silentUnits = 75
    /// Units and references of a new time line may begin this far apart.
    private static let transition = Nanoseconds.milliseconds(500)
    /// Seconds that references must have been heard for before a running clock goes over to them.
    private static let referenceWindows = 3
    /// Sound that comes later behind the pictures of its instant is not waited for.
    private static let mostForSound = Nanoseconds.milliseconds(500)
    /// Sound is waited for in whole steps: what one of its units needs more than the others moves nothing.
    private static let soundStep = Nanoseconds.milliseconds(100)

    private static let noticeableStep = Nanoseconds.milliseconds(-20)

    private enum Jumped: Equatable { case references, units }

    private var references = StampTracker(.programClock, modulus: (1 << 33) * 300)
    private var units = StampTracker(.mpeg, modulus: 1 << 33)
    private var slack = UnitSlack()
    private var soundSlack = UnitSlack(allowance: .milliseconds(100))
    private var lastReference = Monotonic(nanoseconds: 0)
    private var unitsSinceReference = 0
    /// One of the two has jumped; the other is about to.
    private var transition: (of: Jumped, until: Monotonic)?
    private var acquiredAt = Monotonic(nanoseconds: 0)
    private var updated = Monotonic(nanoseconds: 0)
    private var offset: Nanoseconds?
    private var counted = ClockStatistics()

    public init() {}

    /// Nil before the first unit.
    public var correlation: StreamCorrelation? { offset.map { StreamCorrelation(offset: $0) } }

    public var statistics: ClockStatistics {
        var result = counted
        if let line = counted.source == .references ? references.line : units.line, counted.source != .none {
            result.drift = 0 &- line.slope
            result.jitterMean = line.jitterMean
            result.jitterPeak = line.jitterPeak
        }
        result.slack = least ?? .zero
        return result
    }

    /// Takes a program_clock_reference, in stream order.
    /// - Parameters:
    ///   - pcr: 27 MHz, modulo 2^33 * 300.
    ///   - isDiscontinuity: discontinuity_indicator: it begins another time line.
    ///   - packet: number of its packet in the stream, which places units between references.
    public mutating func referenceReceived(pcr: UInt64, isDiscontinuity: Bool, packet: Int64, at arrival: Monotonic) {
        counted.references += 1
        let isSettled = (references.line?.windows ?? 0) >= Self.referenceWindows
        let verdict = references.received(pcr, isDiscontinuity: isDiscontinuity, at: arrival)
        switch verdict {
        case .doubtful:
            counted.doubtfulReferences += 1
            breakOff()
        case .jumped:
            breakOff()
            jumped(.references, at: arrival)
        case .regular where isSettled && references.excess < Self.noticeableStep:
            // Too short for a jump; but units of before must not be held against what follows.
            breakOff()
            transition = (.references, arrival + Self.transition)
        case .started, .regular, .stalled, .resumed: break
        }
        if verdict != .doubtful {
            lastReference = arrival
            unitsSinceReference = 0
            if let line = references.line {
                let level = line.value(at: arrival)
                slack.referenceReceived(ticks: references.ticks, packet: packet, level: level)
                soundSlack.referenceReceived(ticks: references.ticks, packet: packet, level: level)
            }
        }
        if counted.source == .references { count(verdict, at: arrival) }
        update(at: arrival)
    }

    /// A unit of the stream's video (audio, when there is none) is complete.
    /// - Parameters:
    ///   - dts: its decoding time, 90 kHz, modulo 2^33.
    ///   - packet: number of the packet that showed it.
    public mutating func unitCompleted(dts: UInt64, packet: Int64, at arrival: Monotonic) {
        unitsSinceReference += 1
        let verdict = units.received(dts, at: arrival)
        if verdict == .jumped { jumped(.units, at: arrival) }
        if let line = references.line, verdict != .doubtful, !isInTransition(at: arrival) {
            slack.unitCompleted(dts: dts, packet: packet, at: arrival, level: line.value(at: arrival))
        }
        if counted.source == .timeStamps { count(verdict, at: arrival) }
        update(at: arrival)
    }

    /// A unit of the sound that belongs to the stream's video is complete.
    /// - Parameters:
    ///   - pts: 90 kHz, modulo 2^33.
    ///   - packet: number of the packet that completes it.
    public mutating func soundCompleted(pts: UInt64, packet: Int64, at arrival: Monotonic) {
        guard let line = references.line, !isInTransition(at: arrival) else { return }
        soundSlack.unitCompleted(dts: pts, packet: packet, at: arrival, level: line.value(at: arrival))
    }

    /// Packets are missing in front of the next.
    public mutating func packetsLost() { breakOff() }

    private mutating func breakOff() {
        slack.brokeOff()
        soundSlack.brokeOff()
    }

    /// What pictures and sound have of time between them.
    private var least: Nanoseconds? {
        guard let pictures = slack.least else { return nil }
        guard let sound = soundSlack.least, !soundSlack.isUnrelated else { return pictures }
        let steps = max(.zero, pictures - sound + Self.soundStep - Nanoseconds(1)) / Self.soundStep.count
        return pictures - min(Self.soundStep * steps.count, Self.mostForSound)
    }

    private mutating func jumped(_ kind: Jumped, at arrival: Monotonic) {
        if let other = transition, other.of != kind, arrival < other.until {
            transition = nil
        } else {
            transition = (kind, arrival + Self.transition)
        }
    }

    private mutating func isInTransition(at arrival: Monotonic) -> Bool {
        guard let current = transition else { return false }
        if arrival < current.until { return true }
        transition = nil
        return false
    }

    /// What the stamps that the clock follows have done.
    private mutating func count(_ verdict: StampTracker.Verdict, at arrival: Monotonic) {
        switch verdict {
        case .jumped:
            counted.jumps += 1
            offset = nil
        case .stalled: counted.stalls += 1
        case .resumed: offset = nil
        case .started, .regular, .doubtful: break
        }
    }

    // MARK: Following

    private mutating func update(at arrival: Monotonic) {
        let elapsed = max(.zero, arrival - updated)
        updated = max(updated, arrival)
        guard let (source, target, slope) = target(at: arrival) else { return }
        // A clock that was followed and then found wrong leaves nothing worth keeping.
        if counted.source == .references, source == .timeStamps, isRefused { offset = nil }
        counted.source = source
        guard let current = offset, (target - current).magnitude <= StampTracker.jump else {
            if offset != nil { counted.jumps += 1 }
            offset = target
            acquiredAt = arrival
            counted.isLocked = false
            return
        }
        let age = arrival - acquiredAt
        if age < Self.acquisition {
            offset = target
        } else {
            let drift = Nanoseconds(elapsed.microseconds &* slope / 1_000_000)
            let error = target - drift - current
            let limit = elapsed / (error.magnitude > Self.smallError ? Self.slewDivisor : Self.gentleDivisor)
            let share = Nanoseconds(
                error.microseconds &* min(elapsed, Self.approach).microseconds / (Self.approach.microseconds / 1_000))
            offset = current + max(-limit, min(limit, drift + share))
        }
        counted.isLocked = age >= Self.acquisition * 2 && (target - current).magnitude <= Self.lockedWithin
    }

    private func target(at arrival: Monotonic) -> (ClockStatistics.Source, Nanoseconds, slope: Int64)? {
        if let line = references.line, let least, isUsable(line, at: arrival) {
            return (.references, line.value(at: arrival) - least, line.slope)
        }
        return units.line.map { (.timeStamps, $0.value(at: arrival), $0.slope) }
    }

    private var isRefused: Bool { slack.isUnrelated || !(references.line?.hasRealRate ?? true) }

    private func isUsable(_ line: ArrivalLine, at arrival: Monotonic) -> Bool {
        guard !isRefused else { return false }
        if unitsSinceReference >= Self.silentUnits, arrival - lastReference >= Self.silence { return false }
        return counted.source != .timeStamps || line.windows >= Self.referenceWindows
            || offset == nil || arrival - acquiredAt < Self.acquisition
    }
}
