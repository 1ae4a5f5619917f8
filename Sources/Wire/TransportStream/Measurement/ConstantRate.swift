// SPDX-License-Identifier: Apache-2.0
import Time

/// Holds PCRs against the constant rate of their stream (ETSI TR 101 290 5.2.2, 2.4): what the clock of the multiplexer
/// should have said at that octet, by the straight line through readings seconds ago and the one before.
///
/// A stream whose rate varies has no such line, so nothing is measured until 16 intervals in a row were of one rate, and
/// no longer once three readings in a row are off. Where packets are missing no position is known: it begins anew.
struct ConstantRate: Sendable {
    /// Intervals that agree until the rate is believed.
    static let intervalsToLock = 16
    /// Readings off the line until it is another line.
    static let readingsToLose = 3
    /// Parts of an interval by which its length may differ until then.
    private static let tolerance: Int64 = 500
    /// Ticks of 27 MHz: the line is drawn through readings 5...10 s apart.
    private static let halfSpan: Int64 = 27_000_000 * 5

    private struct Reading: Sendable {
        /// Ticks of 27 MHz since the line's first.
        var time: Int64
        /// Packets of the stream in front of it.
        var position: Int64
    }

    /// Ends of the line; the middle one is the next beginning.
    private var line: (first: Reading, middle: Reading, last: Reading)?
    private var previous: UInt64 = 0
    /// As `previous` on the line's time.
    private var time: Int64 = 0
    private var agreeing = 0
    private var off = 0

    init() {}

    /// The stream has a constant rate, so far as can be seen.
    var isLocked: Bool { agreeing >= ConstantRate.intervalsToLock }

    /// Positions or times jump.
    mutating func interrupt() {
        line = nil
        agreeing = 0
        off = 0
    }

    /// - Parameters:
    ///   - pcr: ticks of 27 MHz modulo 2^33 · 300.
    ///   - position: count of packets up to its own.
    /// - Returns: by how much it is off, once that can be said.
    mutating func clockRead(_ pcr: UInt64, position: Int64) -> Nanoseconds? {
        guard let known = line else {
            begin(pcr, position)
            return nil
        }
        let step = PCRInterval.ticks(from: previous, to: pcr)
        guard step > 0, step < 27_000_000, position > known.last.position else {
            begin(pcr, position)
            return nil
        }
        previous = pcr
        time &+= step
        let now = Reading(time: time, position: position)
        guard let expected = ConstantRate.time(at: position, from: known.first, to: known.last) else {
            extend(known, now)
            return nil
        }
        let difference = now.time &- expected
        guard isLocked else {
            let isOne = difference.magnitude <= UInt64((now.time &- known.last.time) / ConstantRate.tolerance + 1)
            guard isOne else {
                begin(pcr, position)
                return nil
            }
            agreeing += 1
            extend(known, now)
            return nil
        }
        return Nanoseconds(difference &* 1_000 / 27)
    }

    /// What follows from the verdict over the reading that was measured.
    mutating func judged(isGood: Bool, position: Int64) {
        guard let known = line else { return }
        if isGood {
            off = 0
            extend(known, Reading(time: time, position: position))
        } else {
            off += 1
            if off >= ConstantRate.readingsToLose { begin(previous, position) }
        }
    }

    private mutating func begin(_ pcr: UInt64, _ position: Int64) {
        let reading = Reading(time: 0, position: position)
        line = (reading, reading, reading)
        previous = pcr
        time = 0
        agreeing = 0
        off = 0
    }

    private mutating func extend(_ known: (first: Reading, middle: Reading, last: Reading), _ now: Reading) {
        var next = (first: known.first, middle: known.middle, last: now)
        if known.middle.time &- known.first.time < ConstantRate.halfSpan,
            now.time &- known.first.time >= ConstantRate.halfSpan
        {
            next.middle = now
        }
        if now.time &- known.first.time >= 2 * ConstantRate.halfSpan {
            next.first = next.middle
            next.middle = now
        }
        line = next
    }

    private static func time(at position: Int64, from first: Reading, to last: Reading) -> Int64? {
        let span = last.position &- first.position
        guard span > 0 else { return nil }
        let (product, overflow) = (last.time &- first.time).multipliedReportingOverflow(by: position &- first.position)
        guard !overflow else { return nil }
        return first.time &+ (product &+ span / 2) / span
    }
}
