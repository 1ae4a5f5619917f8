// SPDX-License-Identifier: Apache-2.0
import Time
import Timelines

/// Finds the correlation by which the units of one stream are due: that of the receive thread's clock, or, while that is
/// not known or belongs to a timeline that the stream has left, one by which the unit that came was due when it came.
///
/// A stream has left its timeline when its stamps jump, never because it is early: pictures may come 10 s before their
/// decoding times (ISO/IEC 13818-1 2.4.2.3), by ever other spans, and sound of the same instant long before or after.
///
/// The clock references of another timeline come before its first unit is complete, and behind them come the last units of
/// the timeline before: each unit is due by the clock that it belongs to.
struct StampMapper {
    /// A unit that comes earlier than this before its decoding time, or later than `latest` after it, is of another
    /// timeline.
    private static let earliest = Nanoseconds.seconds(12)
    private static let latest = Nanoseconds.seconds(5)
    /// Likewise of one whose clock is not known.
    private static let variation = Nanoseconds.seconds(3)
    /// Stamps have jumped if they go on by so much more than the arrivals do and are so much earlier than any before, or
    /// if they go back by more than `disorder`.
    private static let leap = Nanoseconds.seconds(1)
    private static let disorder = Nanoseconds.milliseconds(500)
    /// The clock follows a jump within this time; if it does not, only this stream has jumped, and is due by its stamps.
    private static let patience = Nanoseconds.seconds(3)
    /// The clock follows another timeline when it moves by more than this.
    private static let otherTimeline = Nanoseconds.milliseconds(300)

    private struct Unit {
        var stamp: UInt64
        var arrival: Monotonic
    }

    /// What is known of a timeline that the stream has left.
    private struct Departure {
        /// The last unit on it, and the clock and the time when the next one came.
        var last: Unit
        var clock: StreamCorrelation
        var since: Monotonic
    }

    private var last: Unit?
    private var departure: Departure?
    private var makeshift: StreamCorrelation?
    /// The clock by which the last unit was due that was due by one, and how long before its decoding time it came.
    private var followed: (clock: StreamCorrelation, early: Nanoseconds)?
    /// When the clock began with another timeline; nil when the stream has followed it.
    private var clockBeganAt: Monotonic?
    /// Whether no unit has come since then.
    private var isFirst = false
    /// The longest time before its decoding time at which a unit came.
    private(set) var earliness = Nanoseconds.zero
    /// Whether the last unit is the first that is due by a clock that has begun anew.
    private(set) var hasChangedTimeline = false
    /// Whether the last unit is due by the clock.
    var isOnTimeline: Bool { departure == nil && makeshift == nil && clockBeganAt == nil }

    /// The units that follow come from another place of the stream.
    mutating func moved() {
        last = nil
        departure = nil
        makeshift = nil
        followed = nil
        clockBeganAt = nil
    }

    /// The clock of the units that follow has begun with another timeline.
    mutating func clockBegan(at arrival: Monotonic) { (clockBeganAt, isFirst) = (arrival, true) }

    /// Units that came before the clock was known are due by it.
    /// - Returns: whether they are the first that are due by a clock that has begun anew.
    mutating func joinClock() -> Bool {
        defer { (departure, makeshift, clockBeganAt) = (nil, nil, nil) }
        return clockBeganAt != nil
    }

    /// - Parameters:
    ///   - stamp: a decoding time, 33 bits.
    ///   - clock: of the receive thread when the unit came; nil before it is known.
    mutating func mapping(of stamp: UInt64, by clock: StreamCorrelation?, at arrival: Monotonic) -> StreamCorrelation {
        let unit = Unit(stamp: stamp, arrival: arrival)
        hasChangedTimeline = false
        let clock = clock.map { follow(unit, $0) }
        last = unit
        if let clock, departure == nil, (-Self.latest...Self.earliest).contains(early(unit, clock)) {
            makeshift = nil
            guard clockBeganAt == nil else { return clock }
            earliness = max(earliness, early(unit, clock))
            followed = (clock, early(unit, clock))
            return clock
        }
        if let makeshift, (-Self.latest...Self.variation).contains(early(unit, makeshift)) { return makeshift }
        let ticks = Int64(truncatingIfNeeded: stamp & (1 << 33 - 1))
        let made = StreamCorrelation(offset: Nanoseconds(arrival.nanoseconds) - TickRate.mpeg.nanoseconds(ticks))
        makeshift = made
        return made
    }

    /// Sees whether the stream leaves its timeline, is back on it, or is on that of the clock.
    /// - Returns: the clock of the unit's timeline: this one or, where that has just begun with another, the one before.
    private mutating func follow(_ unit: Unit, _ clock: StreamCorrelation) -> StreamCorrelation {
        if let beganAt = clockBeganAt {
            defer { isFirst = false }
            let mayBeOld = isFirst || unit.arrival - beganAt < Self.patience
            if mayBeOld, let before = followed?.clock, isOf(before, unit, not: clock) { return before }
            clockBeganAt = nil
            departure = nil
            hasChangedTimeline = true
            return clock
        }
        if let left = departure {
            let isFollowed = (clock.offset - left.clock.offset).magnitude > Self.otherTimeline
            let isOver = unit.arrival - left.since >= Self.patience
            // A single wrong stamp is no timeline.
            if isFollowed || isOver || !hasJumped(from: left.last, to: unit, clock) { departure = nil }
        } else if let last, hasJumped(from: last, to: unit, clock) {
            departure = Departure(last: last, clock: clock, since: unit.arrival)
            makeshift = nil
        }
        return clock
    }

    /// Whether a unit is of the timeline before: it has not jumped, and its earliness is more like that of the last one
    /// before the clock began. The first unit may be one that was complete only when that came which follows it.
    private func isOf(_ before: StreamCorrelation, _ unit: Unit, not clock: StreamCorrelation) -> Bool {
        guard (clock.offset - before.offset).magnitude > Self.otherTimeline else { return false }
        guard let last, let usual = followed?.early, !hasJumped(from: last, to: unit, before) else { return false }
        let step = step(from: last, to: unit)
        if isFirst, step <= Self.leap, unit.arrival - last.arrival - step > Self.otherTimeline { return true }
        let unusual = (early(unit, before) - usual).magnitude
        return unusual <= Self.otherTimeline && unusual < (early(unit, clock) - usual).magnitude
    }

    private func step(from last: Unit, to unit: Unit) -> Nanoseconds {
        TickRate.mpeg.nanoseconds(
            StampSpan.distance(
                from: Int64(truncatingIfNeeded: last.stamp), to: Int64(truncatingIfNeeded: unit.stamp)))
    }

    private func hasJumped(from last: Unit, to unit: Unit, _ clock: StreamCorrelation) -> Bool {
        let step = step(from: last, to: unit)
        if step < -Self.disorder { return true }
        return step > max(.zero, unit.arrival - last.arrival) + Self.leap
            && early(unit, clock) > earliness + Self.leap
    }

    /// How long before its decoding time the unit came.
    private func early(_ unit: Unit, _ correlation: StreamCorrelation) -> Nanoseconds {
        correlation.time(of: correlation.ticks(of: unit.stamp, near: unit.arrival)) - unit.arrival
    }
}
