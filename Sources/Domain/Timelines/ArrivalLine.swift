// SPDX-License-Identifier: Apache-2.0
import Time

/// Estimates the difference arrival - stamp that a network without delay variation would give. The network only ever
/// delays, so the line touches the smallest difference of each second from below. Its slope is the drift of the
/// sender's clock: the slope of the lower convex hull's edge in the middle of the last minute.
struct ArrivalLine: Sendable {
    /// Windows that must have closed before a slope is computed, and windows that support the line from then on.
    private static let windowsForSlope = 24
    private static let windowsWithSlope = 48
    /// Windows that support the line while no slope is known. It is flat and must be short: 8 s of 100 ppm are 0.8 ms.
    private static let windowsWithoutSlope = 8
    /// The largest slope, parts per billion. A PCR may be off by 30 ppm (ISO/IEC 13818-1 2.4.2.1).
    private static let steepest: Int64 = 300_000
    /// Differences that change by more than 1/50 of the time for `steepWindows` seconds come from no real-time clock.
    private static let steepPart: Int64 = 50
    private static let steepWindows = 3
    /// When the path through the network changes, all differences move by more than this, and the line moves with them.
    private static let step = Nanoseconds.milliseconds(10)
    private static let windowsForStep = 5

    /// The mean and the largest excess over the line in the last whole second.
    private(set) var jitterMean = Nanoseconds.zero
    private(set) var jitterPeak = Nanoseconds.zero
    /// Whether the stamps advance at about the rate of real time.
    private(set) var hasRealRate = true
    /// Parts per billion by which arrivals advance faster than stamps.
    private(set) var slope: Int64 = 0
    private var isSlopeKnown = false
    private var minima = WindowMinima()
    private var base: WindowMinima.Sample
    private var steepCount = 0
    private var steadyCount = 0
    /// The distance by which this window's samples have lowered the line.
    private var lowered = Nanoseconds.zero
    private var residualSum = Nanoseconds.zero
    private var residualCount: Int64 = 0
    private var residualPeak = Nanoseconds.zero

    init(_ difference: Nanoseconds, at arrival: Monotonic) {
        base = WindowMinima.Sample(time: arrival, value: difference)
        add(difference, at: arrival)
    }

    /// Number of closed windows.
    var windows: Int { minima.count }

    func value(at time: Monotonic) -> Nanoseconds { base.value + rise(time - base.time) }

    mutating func add(_ difference: Nanoseconds, at arrival: Monotonic) {
        if minima.isOver(at: arrival) {
            minima.close()
            windowClosed()
        }
        minima.add(difference, at: arrival)
        var residual = difference - value(at: arrival)
        if residual < .zero {
            lowered = lowered - residual
            base = WindowMinima.Sample(time: arrival, value: difference)
            residual = .zero
        }
        residualSum = residualSum + residual
        residualCount += 1
        residualPeak = max(residualPeak, residual)
    }

    /// Begins again because the stamps jumped. The slope is kept: it belongs to the sender's crystal.
    mutating func restart(_ difference: Nanoseconds, at arrival: Monotonic) {
        minima.removeAll()
        base = WindowMinima.Sample(time: arrival, value: difference)
        steepCount = 0
        steadyCount = 0
        forgetWindow()
        add(difference, at: arrival)
    }

    private func rise(_ span: Nanoseconds) -> Nanoseconds {
        Nanoseconds((span.microseconds &* slope) / 1_000_000)
    }

    private mutating func forgetWindow() {
        lowered = .zero
        residualSum = .zero
        residualCount = 0
        residualPeak = .zero
    }

    private mutating func windowClosed() {
        jitterMean = residualSum / max(1, residualCount)
        jitterPeak = residualPeak
        checkRate()
        if lowered > Self.step, minima.count >= 8 {
            minima.keep(newest: 1)
        } else if hasMovedUp {
            minima.keep(newest: Self.windowsForStep)
        }
        forgetWindow()
        if minima.count >= Self.windowsForSlope {
            let measured = max(-Self.steepest, min(Self.steepest, hullSlope))
            slope = isSlopeKnown ? slope &+ (measured &- slope) / 4 : measured
            isSlopeKnown = true
        }
        let supporting = min(minima.count, isSlopeKnown ? Self.windowsWithSlope : Self.windowsWithoutSlope)
        let time = minima[0].time
        var lowest = minima[0].value
        for age in 1..<max(1, supporting) {
            lowest = min(lowest, minima[age].value + rise(time - minima[age].time))
        }
        base = WindowMinima.Sample(time: time, value: lowest)
    }

    /// Whether every smallest difference of the last `windowsForStep` seconds was clear of the line by more than `step`
    /// and by more than half of the mean jitter.
    private var hasMovedUp: Bool {
        guard minima.count > Self.windowsForStep else { return false }
        let limit = max(Self.step, jitterMean / 2)
        for age in 0..<Self.windowsForStep where minima[age].value - value(at: minima[age].time) <= limit {
            return false
        }
        return true
    }

    private mutating func checkRate() {
        guard minima.count >= 2 else { return }
        let change = minima[0].value - minima[1].value
        let isSteep = change.magnitude * Self.steepPart > (minima[0].time - minima[1].time).magnitude
        if isSteep {
            let sign = change > .zero ? 1 : -1
            steepCount = steepCount.signum() == sign ? steepCount + sign : sign
            steadyCount = 0
            if abs(steepCount) >= Self.steepWindows { hasRealRate = false }
        } else {
            steepCount = 0
            steadyCount += 1
            if steadyCount > Self.steepWindows { hasRealRate = true }
        }
    }

    /// Slope of the lower convex hull's edge under the middle of all windows: of all lines below every point the one
    /// nearest to them. Parts per billion.
    private var hullSlope: Int64 {
        let origin = minima[minima.count - 1]
        let middle = origin.time + (minima[0].time - origin.time) / 2
        var left = origin
        var right = minima[0]
        // Ends when no point lies under the edge. Each turn lowers the edge; the bound guards against rounding.
        for _ in 0..<WindowMinima.capacity {
            let width = (right.time - left.time).microseconds
            guard width > 0 else { return slope }
            let rate = (right.value - left.value).count &* 1_000_000 / width
            var lowest = Nanoseconds(-1_000)
            var found: WindowMinima.Sample?
            for age in 0..<minima.count {
                let point = minima[age]
                let along = Nanoseconds(((point.time - left.time).microseconds &* rate) / 1_000_000)
                let height = point.value - left.value - along
                if height < lowest {
                    lowest = height
                    found = point
                }
            }
            guard let found else { return rate }
            if found.time <= middle { left = found } else { right = found }
        }
        return slope
    }
}
