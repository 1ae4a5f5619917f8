// SPDX-License-Identifier: Apache-2.0
import Time

/// The clock of a received stream. Its rate comes from comparing the clock references with their arrivals, its base
/// from the units, which must be complete at their decoding times. Without references both come from the units.
/// Multiplexers may send sound later than the pictures of the same instant, by up to 10 s (ISO/IEC 13818-1 2.4.2.3);
/// the clock waits for whichever comes last.
///
/// The clock follows its target by at most 0.5 % of elapsed time. It steps only to acquire: for 2 s after the first
/// unit, after a jump, to a target more than 700 ms away that the references show, and when the references that it
/// followed turn out to be no clock. While it acquires, each step is towards better evidence: a stamp that the network
/// delayed less than all before, or a unit that had less slack. When all units of half a second come too late by 180 ms
/// or more, the clock holds: it is set back at once, since what is late would be missing until it had followed. A
/// network that is late for a moment does not do that.
///
/// A pure value that does no I/O; only `init` allocates. Any stamps and arrivals may be given.
public struct StreamClock: Sendable {
    private static let acquisition = Nanoseconds.seconds(2)
    /// The largest rate of correction is 0.5 %; for a small error it is 0.05 %, which is inaudible.
    private static let slewDivisor: Int64 = 200
    private static let gentleDivisor: Int64 = 2_000
    private static let smallError = Nanoseconds.milliseconds(20)
    /// An error is corrected within this time if 0.5 % allow it. An error of a millisecond is corrected inaudibly.
    private static let approach = Nanoseconds.seconds(8)
    private static let lockedWithin = Nanoseconds.milliseconds(2)
    /// References that were absent for this long, and for this many units, are considered to have ended.
    private static let silence = Nanoseconds.seconds(3)
    private static let silentUnits = 75
    /// The units and references of a new timeline may begin this far apart.
    private static let transition = Nanoseconds.milliseconds(500)
    /// Seconds for which references must have been received before a running clock changes over to them.
    private static let referenceWindows = 3
    /// The clock is set back at once by at least so much. The usual play-out delay of 200 ms covers less, until the clock
    /// has followed slowly.
    private static let leastHold = Nanoseconds.milliseconds(180)
    /// Sound that arrives this much later than the network usually delivers says nothing of the sender.
    private static let mostDelayed = Nanoseconds.milliseconds(400)
    /// When units come earlier again by up to so much, the clock follows slowly: they may be late once more.
    private static let mostRegained = Nanoseconds.seconds(3)
    private static let noticeableStep = Nanoseconds.milliseconds(-20)

    private enum Jumped: Equatable { case references, units }

    private var references = StampTracker(.programClock, modulus: (1 << 33) * 300)
    private var units = StampTracker(.mpeg, modulus: 1 << 33)
    private var slack = UnitSlack()
    private var sound = SoundWait()
    private var lastReference = Monotonic(nanoseconds: 0)
    private var unitsSinceReference = 0
    /// The kind of stamps that has jumped, until the other follows it or the time is over; nil if none has.
    private var transition: (of: Jumped, until: Monotonic)?
    private var acquiredAt = Monotonic(nanoseconds: 0)
    private var updated = Monotonic(nanoseconds: 0)
    private var offset: Nanoseconds?
    /// The slack that the clock followed at the last update; nil without references.
    private var lastLeast: Nanoseconds?
    /// By how much the clock is ahead of units that came later than all before.
    private var owed = Nanoseconds.zero
    private var counted = ClockStatistics()
    /// How often the clock has stepped to better evidence of the same timeline: what was read before belongs as much
    /// later, or earlier, as what follows.
    public private(set) var corrections = 0
    /// How often it has begun with a timeline, of which nothing is known from the one before.
    public private(set) var beginnings = 0

    public init() {}

    /// nil before the first unit.
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

    /// Accepts a program_clock_reference; references come in stream order.
    /// - Parameters:
    ///   - pcr: 27 MHz, modulo 2^33 * 300.
    ///   - isDiscontinuity: whether discontinuity_indicator is set: the reference begins another timeline.
    ///   - packet: number of its packet in the stream, by which units are placed between references.
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
            // The step is too small for a jump, but units before it must not be compared with references after it.
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
                sound.referenceReceived(
                    ticks: references.ticks, packet: packet, level: level, pictures: slack.least)
            }
        }
        if counted.source == .references { count(verdict, at: arrival) }
        update(at: arrival)
    }

    /// A unit of the stream's video is complete, or of its audio if there is no video.
    /// - Parameters:
    ///   - dts: its decoding time, 90 kHz, modulo 2^33.
    ///   - packet: number of the packet that showed that it is complete.
    public mutating func unitCompleted(dts: UInt64, packet: Int64, at arrival: Monotonic) {
        unitsSinceReference += 1
        let verdict = units.received(dts, at: arrival)
        sound.pictureCompleted(verdict, at: arrival)
        if verdict == .jumped {
            jumped(.units, at: arrival)
            // They may come seconds behind the references of their timeline.
            acquiredAt = max(acquiredAt, arrival)
        }
        if let line = references.line, verdict != .doubtful, !isInTransition(at: arrival) {
            slack.unitCompleted(dts: dts, packet: packet, at: arrival, level: line.value(at: arrival))
        }
        if counted.source == .timeStamps { count(verdict, at: arrival) }
        update(at: arrival)
    }

    /// A unit of the sound that accompanies the stream's video is complete.
    /// - Parameters:
    ///   - pts: 90 kHz, modulo 2^33.
    ///   - packet: number of the packet that completes the unit.
    public mutating func soundCompleted(pts: UInt64, packet: Int64, at arrival: Monotonic) {
        let isInTransition = isInTransition(at: arrival)
        let line = references.excess <= Self.mostDelayed && !isInTransition ? references.line : nil
        sound.unitCompleted(
            pts: pts, packet: packet, at: arrival, level: line?.value(at: arrival), pictures: units.line)
        // It may come seconds after the pictures of its instant.
        if !isInTransition, sound.takeFirst() { acquiredAt = max(acquiredAt, arrival) }
        update(at: arrival)
    }

    /// The sound unit that was completed last goes on.
    public mutating func soundGoesOn() { sound.goesOn() }

    /// Packets are missing before the next one.
    public mutating func packetsLost() { breakOff() }

    private mutating func breakOff() {
        slack.brokeOff()
        sound.brokeOff()
    }

    /// The slack of the pictures, reduced if the sound has less.
    private var least: Nanoseconds? { slack.least.map { sound.least(of: $0) } }

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

    /// Counts what happened to the stamps that the clock follows.
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
        // A clock that was followed and turned out to be wrong leaves no usable offset.
        if counted.source == .references, source == .timeStamps, isRefused { offset = nil }
        let isSameSource = counted.source == source
        counted.source = source
        guard let current = offset else {
            begin()
            return acquire(target, at: arrival)
        }
        owe(of: target - current)
        let regained = source == .references && isSameSource ? Self.mostRegained : StampTracker.jump
        guard target - current - owed <= StampTracker.jump, current - target <= regained else {
            counted.jumps += 1
            if isInTransition(at: arrival) { begin() } else { corrections += 1 }
            return acquire(target, at: arrival)
        }
        let age = arrival - acquiredAt
        if age < Self.acquisition {
            if !isInTransition(at: arrival) { corrections += 1 }
            offset = target
        } else if source == .references, target - current >= Self.leastHold, isLate(current, at: arrival) {
            counted.holds += 1
            corrections += 1
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

    private mutating func begin() {
        beginnings += 1
        sound.clockBegan()
    }

    /// Whether pictures or sound have been late for half a second, all of them.
    private func isLate(_ offset: Nanoseconds, at arrival: Monotonic) -> Bool {
        guard let line = references.line else { return false }
        let latest = line.value(at: arrival) - offset - Self.leastHold
        return slack.isRecentlyBelow(latest) || sound.isRecentlyBelow(latest)
    }

    private mutating func acquire(_ target: Nanoseconds, at arrival: Monotonic) {
        offset = target
        acquiredAt = arrival
        owed = .zero
        lastLeast = counted.source == .references ? least : nil
        counted.isLocked = false
    }

    /// Adds what the units now have less of slack to what the clock is ahead of them.
    /// - Parameter error: by how much it is ahead of its target.
    private mutating func owe(of error: Nanoseconds) {
        let now = counted.source == .references ? least : nil
        if let before = lastLeast, let now, now < before { owed = owed + (before - now) }
        lastLeast = now
        owed = max(.zero, min(owed, error))
    }

    private func target(at arrival: Monotonic) -> (ClockStatistics.Source, Nanoseconds, slope: Int64)? {
        if let line = references.line, let least, isUsable(line, at: arrival) {
            return (.references, line.value(at: arrival) - least, line.slope)
        }
        return units.line.map { (.timeStamps, $0.value(at: arrival) + sound.behindPictures, $0.slope) }
    }

    private var isRefused: Bool { slack.isUnrelated || !(references.line?.hasRealRate ?? true) }

    private func isUsable(_ line: ArrivalLine, at arrival: Monotonic) -> Bool {
        guard !isRefused else { return false }
        if unitsSinceReference >= Self.silentUnits, arrival - lastReference >= Self.silence { return false }
        return counted.source != .timeStamps || line.windows >= Self.referenceWindows
            || offset == nil || arrival - acquiredAt < Self.acquisition
    }
}
