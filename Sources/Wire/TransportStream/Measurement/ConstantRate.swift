// SPDX-License-Identifier: Apache-2.0
import Time

/// Measures the accuracy of PCRs in a stream of constant rate (ETSI TR 101 290 5.2.2, 2.4). The expected PCR at a
/// position lies on the straight line through a PCR some seconds ago and the previous one.
///
/// A stream of variable rate has no such line. So the measurement begins after 16 consecutive intervals of one rate,
/// and ends after three consecutive PCRs off the line. Missing packets make the position unknown: the measurement
/// starts again.
struct ConstantRate: Sendable {
    /// Number of consecutive agreeing intervals that confirm the rate.
    static let intervalsToLock = 16
    /// Number of consecutive PCRs off the line after which a new line begins.
    static let readingsToLose = 3
    /// Before the rate is confirmed, an interval may differ by 1/500 of its length.
    private static let tolerance: Int64 = 500
    /// In ticks of 27 MHz. The line goes through PCRs 5...10 s apart.
    private static let halfSpan: Int64 = 27_000_000 * 5

    private struct Reading: Sendable {
        /// Ticks of 27 MHz since the first PCR of the line.
        var time: Int64
        /// Number of packets of the stream before it.
        var position: Int64
    }

    /// The ends of the line; `middle` becomes its next beginning.
    private var line: (first: Reading, middle: Reading, last: Reading)?
    private var previous: UInt64 = 0
    /// The value of `previous` in the line's time.
    private var time: Int64 = 0
    private var agreeing = 0
    private var off = 0

    init() {}

    /// Whether the rate has been confirmed to be constant.
    var isLocked: Bool { agreeing >= ConstantRate.intervalsToLock }

    /// Starts again, because positions or times jump.
    mutating func interrupt() {
        line = nil
        agreeing = 0
        off = 0
    }

    /// - Parameters:
    ///   - pcr: ticks of 27 MHz modulo 2^33 · 300.
    ///   - position: number of packets up to and including its own.
    /// - Returns: the PCR's error; nil until the rate is confirmed.
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

    /// Uses the verdict on the PCR that was just measured.
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
