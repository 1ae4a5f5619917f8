// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import Collecting

@Suite struct PressureTests {
    @Test func asksForAsLongAsTheOthersTake() {
        var pressure = Pressure()
        #expect(pressure.seconds == 0)
        for _ in 0..<60 {
            for _ in 0..<100 { pressure.serve() }
            for _ in 0..<300 { pressure.sendAway() }
            pressure.age()
        }
        // 2,100 of the last seconds, of whom 100 a second are served.
        #expect((20...26).contains(pressure.seconds), "\(pressure.seconds)")
        for _ in 0..<100 { pressure.sendAway() }
        for _ in 0..<60 { pressure.age() }
        #expect(pressure == Pressure(), "it passes")
        for _ in 0..<5_000 { pressure.sendAway() }
        #expect(pressure.seconds == 60)
    }

    @Test func boxesAreSpreadOverThatTime() {
        let waits = (0..<1_000).map { Arrivals.wait(.zero, "sim-\($0)", beyond: 40) }
        #expect(waits.min() == 1 && (45...51).contains(waits.max() ?? 0) && Set(waits).count > 40)
        #expect((0..<100).allSatisfy { (1...10).contains(Arrivals.wait(.zero, "sim-\($0)")) })
    }
}
