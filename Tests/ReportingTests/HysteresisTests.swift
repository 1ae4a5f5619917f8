// SPDX-License-Identifier: Apache-2.0
import Testing
import Time

@testable import Reporting

@Suite struct HysteresisTests {
    @Test func believesWhatHolds() {
        var hysteresis = Hysteresis(raiseAfter: .seconds(2), clearAfter: .seconds(5))
        var now = Monotonic(nanoseconds: 0)
        func after(_ seconds: Int64, _ condition: Bool) -> Bool {
            now = now + .seconds(seconds)
            return hysteresis.observe(condition, at: now)
        }
        #expect(!after(1, true))
        #expect(!after(1, false))
        #expect(!after(1, true))
        #expect(after(2, true))
        #expect(after(1, false))
        #expect(!after(5, false))
    }
}
