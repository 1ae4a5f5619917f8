// SPDX-License-Identifier: Apache-2.0
import Media
import Testing
import Time

@testable import Playback

@Suite struct EntryGateTests {
    private var gate = EntryGate()

    private static func unit(_ recovery: Int? = nil, isDamaged: Bool = false) -> AccessUnit {
        AccessUnit(pts: 0, dts: 0, isRandomAccess: recovery == 0, isDamaged: isDamaged, recovery: recovery)
    }

    private static func at(_ milliseconds: Int64) -> Monotonic { Monotonic(nanoseconds: 5 + milliseconds * 1_000_000) }

    @Test mutating func aCompletePointBegins() {
        let before = gate.entry(with: Self.unit(), at: Self.at(0))
        let point = gate.entry(with: Self.unit(0), at: Self.at(40))
        #expect(before == nil && point == .point)
    }

    @Test mutating func aRecoveryPointBegins() {
        let damaged = gate.entry(with: Self.unit(12, isDamaged: true), at: Self.at(0))
        let whole = gate.entry(with: Self.unit(12), at: Self.at(40))
        #expect(damaged == nil && whole == .recovery(pictures: 12))
    }

    /// At 2 % loss no point of 230 packets comes whole.
    @Test mutating func theSecondIncompletePointBegins() {
        let first = gate.entry(with: Self.unit(0, isDamaged: true), at: Self.at(0))
        let between = gate.entry(with: Self.unit(), at: Self.at(500))
        let second = gate.entry(with: Self.unit(0, isDamaged: true), at: Self.at(1_000))
        #expect(first == nil && between == nil && second == .anywhere)
        gate.reset()
        let anew = gate.entry(with: Self.unit(0, isDamaged: true), at: Self.at(1_040))
        #expect(anew == nil)
    }

    /// The first packet of the point before was lost, so that its parameter sets are missing and nobody saw the point.
    @Test mutating func anIncompletePointThatComesLateBegins() {
        var headless = Self.unit(isDamaged: true)
        headless.hasParameterSets = false
        let first = gate.entry(with: headless, at: Self.at(0))
        let late = gate.entry(with: Self.unit(0, isDamaged: true), at: Self.at(1_000))
        #expect(first == nil && late == .anywhere)
    }

    /// Nothing can be decoded without them.
    @Test mutating func parameterSetsAreAwaited() {
        var unit = Self.unit()
        unit.hasParameterSets = false
        let late = (0..<100).compactMap { gate.entry(with: unit, at: Self.at($0 * 40)) }
        #expect(late.isEmpty)
        unit.hasParameterSets = true
        let known = gate.entry(with: unit, at: Self.at(4_000))
        #expect(known == .anywhere)
    }

    @Test(arguments: [true, false]) mutating func afterTwoSecondsAnyUnitBegins(isDamaged: Bool) {
        let unit = Self.unit(isDamaged: isDamaged)
        let found = (0..<100).first { gate.entry(with: unit, at: Self.at($0 * 40)) == .anywhere }
        #expect(found == 50)
    }
}
