// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import Codecs

@Suite struct SampleClockTests {
    @Test func sixHoursOfBlocksDoNotDrift() {
        var clock = SampleClock()
        var time = clock.advance(by: 1_024, at: 44_100, stamp: 7)
        let blocks = 6 * 3_600 * 44_100 / 1_024
        for _ in 0..<blocks { time = clock.advance(by: 1_024, at: 44_100, stamp: nil) }
        #expect(time == 7 + Int64(blocks) * 1_024 * 90_000 / 44_100)
    }

    @Test func aStampCountsAndAChangeOfRateLosesNothing() {
        var clock = SampleClock()
        #expect(clock.advance(by: 48_000, at: 48_000, stamp: nil) == nil)
        #expect(clock.advance(by: 48_000, at: 48_000, stamp: 1_000) == 1_000)
        #expect(clock.advance(by: 44_100, at: 44_100, stamp: nil) == 91_000)
        #expect(clock.advance(by: 1, at: 44_100, stamp: nil) == 181_000)
        #expect(clock.advance(by: 1, at: 44_100, stamp: 5) == 5)
    }
}
