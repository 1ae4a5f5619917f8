// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Time

@testable import Timelines

/// A root and clocks up to five levels under it, with rates and speeds of every kind.
struct RandomClocks {
    static let rates = [
        (1, 1), (25, 1), (30_000, 1_001), (1_000, 1), (44_100, 1), (48_000, 1), (90_000, 1), (27_000_000, 1),
        (999_999_937, 1), (1_000_000_000, 1), (60_000_000, 1_001_001), (1, 7),
    ].compactMap { ClockRate(unitsPerSecond: $0.0, unitsPerTick: $0.1) }

    var random: SplitMix64
    private(set) var all: [ClockNode] = [ClockNode()]

    /// - Parameter hasPaused: whether clocks may be paused.
    init(seed: UInt64, count: Int = 9, hasPaused: Bool = false) {
        random = SplitMix64(seed: seed &+ Effort.seed)
        while all.count < count {
            let parent = random.one(of: all.filter { self.depth($0) < 5 })
            let clock = ClockNode(parent: parent, rate: random.one(of: Self.rates))
            clock.step(to: correlation(of: clock, hasPaused: hasPaused))
            all.append(clock)
        }
    }

    func depth(_ clock: ClockNode) -> Int { clock.parent.map { depth($0) + 1 } ?? 0 }

    /// The clock and its ancestors, the root last.
    static func line(_ clock: ClockNode) -> [ClockNode] { [clock] + (clock.parent.map { line($0) } ?? []) }

    mutating func speed(hasPaused: Bool) -> ClockSpeed {
        if hasPaused, random.percent(20) { return .paused }
        let known: [Int64] = [1_000_000_000, 1_000_050_000, 999_999_999, 2_000_000_000, -1_000_000_000, 500_000_000]
        let any = Int64.random(in: 100_000_000...8_000_000_000, using: &random)
        return ClockSpeed(unchecked: random.percent(70) ? random.one(of: known) : any)
    }

    /// A correlation point within some hours of both clocks' zero.
    mutating func correlation(of clock: ClockNode, hasPaused: Bool) -> ClockCorrelation {
        let initial = Nanoseconds(.random(in: 0...5_000_000, using: &random))
        let growth = Int64.random(in: 0...500_000, using: &random)
        return ClockCorrelation(
            parentTicks: clock.parent.map { place(on: $0) } ?? 0, ticks: place(on: clock),
            speed: speed(hasPaused: hasPaused), bound: ErrorBound(initial, growth: growth))
    }

    /// Ticks within some hours of the clock's zero.
    mutating func place(on clock: ClockNode) -> Int64 {
        let most = 10_000 * clock.rate.unitsPerSecond / clock.rate.unitsPerTick
        return .random(in: -most...most, using: &random)
    }

    mutating func pair() -> (ClockNode, ClockNode) { (random.one(of: all), random.one(of: all)) }

    /// Ticks of `to` for each tick of `from`, in absolute value.
    static func ratio(_ from: ClockNode, _ to: ClockNode) -> Double { perSecond(to) / perSecond(from) }

    /// Ticks in a second of the root.
    private static func perSecond(_ clock: ClockNode) -> Double {
        let own = Double(clock.rate.unitsPerSecond) / Double(clock.rate.unitsPerTick)
        return line(clock).reduce(own) { $0 * ($1.correlation?.speed.multiplier.magnitude ?? 1) }
    }
}
