// SPDX-License-Identifier: Apache-2.0
import Time

/// The line under the differences arrival - stamp: what they would be if the network delayed nothing. The network only
/// ever delays, so the line supports the smallest difference of each second from below; its slope is the drift of the
/// sender's clock, that of the convex hull's edge under the middle of the last minute.
struct ArrivalLine: Sendable {
    /// Windows that are needed before a slope is believed, and those that then hold the line down.
    private static let windowsForSlope = 24
    private static let windowsWithSlope = 48
    /// With no slope known the line is flat, so that it must be young: 8 s of 100 ppm are 0.8 ms.
    private static let windowsWithoutSlope = 8
    /// Parts per billion. A PCR may be off by 30 ppm (ISO/IEC 13818-1 2.4.2.1).
    private static let steepest: Int64 = 300_000
    /// Differences that change by more than 1/50 of the time in `steepWindows` seconds running: no clock of real time.
    private static let steepPart: Int64 = 50
    private static let steepWindows = 3
    /// Another way through the network: the whole line moves.
    private static let step = Nanoseconds.milliseconds(10)
    private static let windowsForStep = 5

    /// Of the last whole second.
    private(set) var jitterMean = Nanoseconds.zero
    private(set) var jitterPeak = Nanoseconds.zero
    /// Whether the stamps run at about the rate of real time.
    private(set) var hasRealRate = true
    /// Parts per billion: by how much arrivals outgrow stamps.
    private(set) var slope: Int64 = 0
    private var isSlopeKnown = false
    private var minima = WindowMinima()
    private var base: WindowMinima.Sample
    private var steepCount = 0
    private var steadyCount = 0
    /// By how much this window's samples pushed the line down.
    private var lowered = Nanoseconds.zero
    private var residualSum = Nanoseconds.zero
    private var residualCount: Int64 = 0
    private var residualPeak = Nanoseconds.zero

    init(_ difference: Nanoseconds, at arrival: Monotonic) {
        base = WindowMinima.Sample(time: arrival, value: difference)
        add(difference, at: arrival)
    }

    /// Closed windows.
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

    /// Begins anew: the stamps jumped. The drift, which is of the sender's crystal, stays.
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

    /// For `windowsForStep` seconds nothing came near the line: nearer than half of the usual jitter.
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
    /// nearest to them. In parts per billion.
    private var hullSlope: Int64 {
        let origin = minima[minima.count - 1]
        let middle = origin.time + (minima[0].time - origin.time) / 2
        var left = origin
        var right = minima[0]
        // Ends when no point lies under the edge; each turn lowers it, and the bound is for what rounding may do.
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
