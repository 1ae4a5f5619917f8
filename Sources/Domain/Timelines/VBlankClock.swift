// SPDX-License-Identifier: Apache-2.0
import Time

/// Numbers the vblanks of a display and recovers their times from the instants of page flips: the length of a vblank,
/// the time of those to come, and the accuracy of both. The display has a clock of its own, flips happen at some
/// vblanks only, and a driver may report them late.
///
/// A second-order filter with growing memory: a straight line through the flips, through the last 128 once there are
/// more. Flips of a driver that shows pictures at once and has no vblank are on no line and never lock the clock.
public struct VBlankClock: Sendable {
    /// The number of parts of a vblank's time in which positions are counted.
    public static let parts: Int64 = 65_536
    private static let memory: Int64 = 128
    /// Nanoseconds from the last flip within which positions are computed.
    private static let reach: Int64 = 100_000_000_000
    private static let fewest = 8
    private static let most = 4_096
    /// After this many flips on the line, losing it does not count against the display.
    private static let proven = 1_000

    /// The vblank interval of the mode; nil if the display has no vblank.
    public private(set) var nominal: Nanoseconds?
    /// Increases each time that the vblanks are numbered anew.
    public private(set) var generation = 0
    /// The estimated vblank interval, picoseconds.
    private var period: Int64 = 0
    /// The time of vblank `number`.
    private var origin = Monotonic(nanoseconds: 0)
    private var number: Int64 = 0
    /// Flips that were on the line.
    private var count = 0
    /// Flips that are needed before the line is trusted; doubled each time that it is lost early.
    private var needed = fewest
    /// Flips that were off the line, minus those on it since.
    private var doubts = 0
    /// Mean distance of flips from the line, nanoseconds.
    private var deviation: Int64 = 0

    public init() {}

    // MARK: Estimates

    /// The vblank frequency, microhertz; 0 while it is not known.
    public var microHertz: Int64 { count >= needed && period > 0 ? 1_000_000_000_000_000_000 / period : 0 }

    /// The time from one vblank to the next.
    public var span: Nanoseconds { Nanoseconds(period / 1_000) }

    public var jitter: Nanoseconds { Nanoseconds(deviation) }

    /// The possible error of `time(of:)` for vblanks near `instant`. It grows while nothing is shown.
    public func error(at instant: Monotonic) -> Nanoseconds {
        let way = (instant - origin).count
        guard period > 0, abs(way / 2) < Self.reach / 2 else { return .seconds(1) }
        let vblanks = abs(way) / (period / 1_000) + 1
        let perVBlank = (4 * deviation + 1_000) / max(1, min(Int64(count), Self.memory)) + period / 500_000_000
        return Nanoseconds(3 * deviation + vblanks * perVBlank)
    }

    /// Whether vblanks near `instant` are known accurately enough to schedule pictures.
    public func isLocked(at instant: Monotonic) -> Bool {
        count >= needed && deviation < period / 16_000 && error(at: instant) < span / 4
    }

    /// The number of the first vblank after `instant`.
    public func vblank(after instant: Monotonic) -> Int64 {
        // The arithmetic shift rounds down.
        (position(of: instant) >> 16) + 1
    }

    /// The number of the vblank nearest to `instant`.
    public func vblank(nearest instant: Monotonic) -> Int64 { (position(of: instant) + Self.parts / 2) >> 16 }

    public func time(of vblank: Int64) -> Monotonic {
        origin + Nanoseconds((vblank &- number).multipliedReportingOverflow(by: period).partialValue / 1_000)
    }

    /// The position of `instant` on the scale of vblank numbers, in `parts` of a vblank. Instants more than 100 s from
    /// the last flip are clamped.
    public func position(of instant: Monotonic) -> Int64 {
        guard period > 0 else { return 0 }
        let way = max(-Self.reach, min(Self.reach, (instant - origin).count))
        return number * Self.parts + way * (1_000 * Self.parts) / period
    }

    /// The time and the number of the last vblank that was on the line, and the interval in picoseconds; nil before a
    /// flip.
    var measured: (origin: Monotonic, number: Int64, period: Int64)? {
        count > 0 && period > 0 ? (origin, number, period) : nil
    }

    // MARK: Measuring

    /// Sets the interval of the display's mode. A change begins a new measurement.
    public mutating func setNominal(_ span: Nanoseconds?) {
        let span = span.flatMap { (1_000_000...1_000_000_000).contains($0.count) ? $0 : nil }
        guard span != nominal else { return }
        nominal = span
        period = (span?.count ?? 0) * 1_000
        needed = Self.fewest
        restart()
    }

    /// A picture became visible at the vblank at `instant`. Each flip is reported once, in order.
    public mutating func flipped(at instant: Monotonic) {
        guard period > 0 else { return }
        guard count > 0 else { return begin(at: instant) }
        if error(at: instant) > span / 3 {
            // The last flip is too long ago to count the vblanks since; the interval is still known.
            generation += 1
            number = vblank(nearest: instant)
            origin = instant
            return
        }
        let vblank = vblank(nearest: instant)
        let residual = (instant - time(of: vblank)).count
        let isOnLine = vblank > number && abs(residual) <= tolerance
        guard isOnLine else { return doubt(instant) }
        doubts = max(0, doubts - 1)
        follow(vblank, residual)
    }

    private var tolerance: Int64 {
        let whole = period / 1_000
        return count < needed ? whole / 10 : max(whole / 32, min(whole / 8, 8 * deviation))
    }

    private mutating func begin(at instant: Monotonic) {
        origin = instant
        count = 1
    }

    private mutating func restart() {
        generation += 1
        count = 0
        doubts = 0
        deviation = 0
    }

    private mutating func doubt(_ instant: Monotonic) {
        doubts += 1
        if count < needed {
            // Two flips do not fit each other, and nothing tells which is right.
            restart()
            begin(at: instant)
        } else if doubts >= Self.fewest {
            needed = count < Self.proven ? min(Self.most, needed * 2) : Self.fewest
            restart()
            begin(at: instant)
        }
    }

    /// With these gains the line is the least-squares line through all flips, up to `memory` of them.
    private mutating func follow(_ vblank: Int64, _ residual: Int64) {
        count = min(count + 1, Self.most)
        let order = min(Int64(count), Self.memory)
        let steps = vblank - number
        let product = order * (order + 1)
        origin = time(of: vblank) + Nanoseconds(residual * (4 * order - 2) / product)
        number = vblank
        let corrected = period + residual * 6_000 / (product * steps)
        // The interval stays within 0.5 % of the mode's, whose frame rate is rounded to hundredths.
        let stated = (nominal?.count ?? 0) * 1_000
        period = max(stated - stated / 200, min(stated + stated / 200, corrected))
        if count > 2 { deviation += (abs(residual) - deviation) / (count < 16 ? 4 : 16) }
    }
}
