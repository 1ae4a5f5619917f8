// SPDX-License-Identifier: Apache-2.0
import Time

/// How a clock runs against its parent: on the line of its correlation, and while it slews on another one that meets it.
struct ClockLink: Hashable, Sendable {
    /// The way of a clock that was not where a new correlation puts it.
    private struct Slew: Hashable {
        let line: ClockLine
        /// Where the two lines meet, on the parent's scale and on the own.
        let parentEnd: TickPosition
        let end: TickPosition
        /// The difference of the two speeds.
        let rate: TickRatio
    }

    let correlation: ClockCorrelation
    private let parentRate: ClockRate
    private let line: ClockLine
    private let slew: Slew?

    /// A link that is on its line from now on.
    init(_ correlation: ClockCorrelation, rate: ClockRate, parentRate: ClockRate) {
        self.correlation = correlation
        self.parentRate = parentRate
        line = ClockLine(
            parentPoint: TickPosition(correlation.parentTicks), point: TickPosition(correlation.ticks),
            ratio: rate.ratio(to: parentRate), speed: correlation.speed)
        slew = nil
    }

    /// The same link, reached from another one by slewing.
    /// - Parameters:
    ///   - start: the parent's place at which the clock leaves `other`.
    ///   - limit: the largest difference of speed, parts per billion. At most half of the speed is used.
    private init?(_ link: ClockLink, from other: ClockLink, start: TickPosition, limit: Int64) {
        correlation = link.correlation
        parentRate = link.parentRate
        line = link.line
        let speed = correlation.speed.partsPerBillion
        let change = min(limit, Int64(speed.magnitude / 2))
        guard change > 0, let from = other.position(at: start), let to = line.position(at: start) else { return nil }
        let rate = TickRatio(change.magnitude, over: ClockSpeed.one.magnitude)
        guard let ratio = line.ratio.inverse, let slowness = rate.inverse,
            let duration = from.distance(to: to).scaled(by: ratio, slowness),
            let parentEnd = start.moved(by: duration, backwards: false), let end = line.position(at: parentEnd)
        else { return nil }
        let slewing = ClockLine(
            parentPoint: start, point: from, ratio: line.ratio,
            speed: ClockSpeed(unchecked: from < to ? speed + change : speed - change))
        slew = from == to ? nil : Slew(line: slewing, parentEnd: parentEnd, end: end, rate: rate)
    }

    /// This link, reached from `other` by slewing. Where that is impossible it is this link at once: a paused clock has
    /// no speed to change, and the way may be longer than the range of ticks.
    func reached(from other: ClockLink, start: Int64, limit: Int64) -> ClockLink {
        ClockLink(self, from: other, start: TickPosition(start), limit: limit) ?? self
    }

    func position(at parent: TickPosition) -> TickPosition? { lineInUse(at: parent).position(at: parent) }

    func parent(at position: TickPosition) -> TickPosition? {
        guard let slew else { return line.parent(at: position) }
        let isBefore = correlation.speed.partsPerBillion < 0 ? position > slew.end : position < slew.end
        return (isBefore ? slew.line : line).parent(at: position)
    }

    // MARK: Errors

    /// The possible error at a place of the parent, in its nanoseconds: that of the correlation, and the distance that
    /// the clock has still to slew.
    func bound(at parent: TickPosition) -> Nanoseconds {
        let point = TickPosition(correlation.parentTicks)
        let bound = correlation.bound.value(at: point.distance(to: parent), of: parentRate)
        guard let slew, parent < slew.parentEnd, let slowness = correlation.speed.ratio.inverse else { return bound }
        let remaining = parent.distance(to: slew.parentEnd).scaled(by: ClockRate.nanoseconds.ratio(to: parentRate))?
            .scaled(by: slew.rate, slowness)
        return bound.addingClamped(remaining?.roundedUp ?? Nanoseconds(.max))
    }

    /// The parent's error as an error of this clock. A clock at double speed errs by twice as much; one at half speed is
    /// not given less, so that bounds never shrink. While the clock slews, the worse of both speeds counts.
    func own(_ error: Nanoseconds, at parent: TickPosition) -> Nanoseconds {
        max(error.widened(by: line.speed.ratio), error.widened(by: lineInUse(at: parent).speed.ratio))
    }

    /// An error of this clock as an error of its parent, with the same rules.
    func parents(_ error: Nanoseconds, at parent: TickPosition) -> Nanoseconds {
        max(error.widened(by: line.slowness), error.widened(by: lineInUse(at: parent).slowness))
    }

    private func lineInUse(at parent: TickPosition) -> ClockLine {
        if let slew, parent < slew.parentEnd { slew.line } else { line }
    }
}
