// SPDX-License-Identifier: Apache-2.0
import Time

/// The vblanks of a display, numbered, recovered from the instants of page flips: how long one lasts, when those to come
/// are, and how well that is known. The display runs by a clock of its own, flips are shown at some vblanks only, and a
/// driver may tell their instants late.
///
/// A second-order filter of growing memory: a straight line through the flips, of the last 128 once there are so many.
/// Flips that are on no such line, as of a driver that shows at once and has no vblank, never lock it.
public struct VBlankClock: Sendable {
    /// Parts of a vblank's time in which positions are counted.
    public static let parts: Int64 = 65_536
    private static let memory: Int64 = 128
    /// Nanoseconds from the last flip to what can be counted from it.
    private static let reach: Int64 = 100_000_000_000
    private static let fewest = 8
    private static let most = 4_096
    /// After as many flips on the line in a row, losing it says nothing of what the display is.
    private static let proven = 1_000

    /// As the mode says; nil: there is no vblank.
    public private(set) var nominal: Nanoseconds?
    /// Counts the times that vblanks were numbered anew.
    public private(set) var generation = 0
    /// Picoseconds.
    private var period: Int64 = 0
    /// Of the vblank `number`.
    private var origin = Monotonic(nanoseconds: 0)
    private var number: Int64 = 0
    /// Flips on the line.
    private var count = 0
    /// How many it takes to be believed: more after each time that it was lost soon.
    private var needed = fewest
    /// Flips off the line, less those on it since.
    private var doubts = 0
    /// Nanoseconds that flips are off the line, on average.
    private var deviation: Int64 = 0

    public init() {}

    // MARK: What is known

    /// Millionths of vblanks a second; 0 while nothing is known.
    public var microHertz: Int64 { count >= needed && period > 0 ? 1_000_000_000_000_000_000 / period : 0 }

    /// From one vblank to the next.
    public var span: Nanoseconds { Nanoseconds(period / 1_000) }

    public var jitter: Nanoseconds { Nanoseconds(deviation) }

    /// By how much `time(of:)` may be wrong of vblanks about then. It grows while nothing is shown.
    public func error(at instant: Monotonic) -> Nanoseconds {
        let way = (instant - origin).count
        guard period > 0, abs(way / 2) < Self.reach / 2 else { return .seconds(1) }
        let vblanks = abs(way) / (period / 1_000) + 1
        let perVBlank = (4 * deviation + 1_000) / max(1, min(Int64(count), Self.memory)) + period / 500_000_000
        return Nanoseconds(3 * deviation + vblanks * perVBlank)
    }

    /// Whether vblanks about that instant are known well enough to show pictures by.
    public func isLocked(at instant: Monotonic) -> Bool {
        count >= needed && deviation < period / 16_000 && error(at: instant) < span / 4
    }

    /// Number of the first vblank after that instant.
    public func vblank(after instant: Monotonic) -> Int64 {
        // Arithmetic shift: rounded down.
        (position(of: instant) >> 16) + 1
    }

    /// Number of the vblank that is nearest.
    public func vblank(nearest instant: Monotonic) -> Int64 { (position(of: instant) + Self.parts / 2) >> 16 }

    public func time(of vblank: Int64) -> Monotonic {
        origin + Nanoseconds((vblank &- number).multipliedReportingOverflow(by: period).partialValue / 1_000)
    }

    /// In `parts` of a vblank, counted as vblanks are. Within 100 s of the last flip; what is farther is taken to be there.
    public func position(of instant: Monotonic) -> Int64 {
        guard period > 0 else { return 0 }
        let way = max(-Self.reach, min(Self.reach, (instant - origin).count))
        return number * Self.parts + way * (1_000 * Self.parts) / period
    }

    // MARK: What is seen

    /// Another than before: the display is in another mode, and all begins anew.
    public mutating func setNominal(_ span: Nanoseconds?) {
        let span = span.flatMap { (1_000_000...1_000_000_000).contains($0.count) ? $0 : nil }
        guard span != nominal else { return }
        nominal = span
        period = (span?.count ?? 0) * 1_000
        needed = Self.fewest
        restart()
    }

    /// A picture became visible at that vblank. Each once, in their order.
    public mutating func flipped(at instant: Monotonic) {
        guard period > 0 else { return }
        guard count > 0 else { return begin(at: instant) }
        if error(at: instant) > span / 3 {
            // So long ago that vblanks cannot be counted; how long one lasts is still known.
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
            // Two that do not fit, and nothing says which is right.
            restart()
            begin(at: instant)
        } else if doubts >= Self.fewest {
            needed = count < Self.proven ? min(Self.most, needed * 2) : Self.fewest
            restart()
            begin(at: instant)
        }
    }

    /// The gains make it the line of least squares through all flips as long as there are no more than `memory`.
    private mutating func follow(_ vblank: Int64, _ residual: Int64) {
        count = min(count + 1, Self.most)
        let order = min(Int64(count), Self.memory)
        let steps = vblank - number
        let product = order * (order + 1)
        origin = time(of: vblank) + Nanoseconds(residual * (4 * order - 2) / product)
        number = vblank
        let corrected = period + residual * 6_000 / (product * steps)
        // No display is farther from its mode than the hundredths of which a mode's frame rate is rounded.
        let stated = (nominal?.count ?? 0) * 1_000
        period = max(stated - stated / 200, min(stated + stated / 200, corrected))
        if count > 2 { deviation += (abs(residual) - deviation) / (count < 16 ? 4 : 16) }
    }
}
