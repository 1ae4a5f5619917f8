// SPDX-License-Identifier: Apache-2.0
import Testing
import Time

@testable import Timelines

@Suite struct CarriedTimelineTests {
    private func timeline(
        _ ticks: Int64?, at stamp: Int64 = 0, rate: Int64 = 1_000, number: UInt8 = 128
    ) -> CarriedTimeline {
        CarriedTimeline(
            .init(componentTag: 1, number: number), rate: rate,
            medium: ticks.map { ClockCorrelation(parentTicks: $0, ticks: stamp) })
    }

    /// A second later it is a thousand ticks on, or one more or less: senders round.
    @Test func goesOn() {
        let before = timeline(5_000, at: 900_000)
        for ticks in 5_999...6_001 as ClosedRange<Int64> { #expect(timeline(ticks, at: 990_000).continues(before)) }
        for ticks in [5_998, 6_002, 0] as [Int64] { #expect(!timeline(ticks, at: 990_000).continues(before)) }
        #expect(timeline(4_000, at: 810_000).continues(before), "and of a place before as well")
    }

    @Test func goesOnOverTheEndOfTheTimeStamps() {
        let before = timeline(5_000, at: StampSpan.stamps - 45_000)
        #expect(timeline(6_000, at: 45_000).continues(before))
        #expect(before.continues(timeline(6_000, at: 45_000)))
        #expect(!timeline(6_100, at: 45_000).continues(before))
    }

    @Test func isAnotherByItsIdItsRateAndItsPause() {
        let before = timeline(5_000)
        #expect(timeline(5_000).continues(before))
        #expect(!timeline(5_000, rate: 90_000).continues(before))
        #expect(!timeline(5_000, number: 1).continues(before))
        #expect(!timeline(nil).continues(before) && !before.continues(timeline(nil)))
        #expect(timeline(nil).continues(timeline(nil)))
    }

    @Test func extremesDoNotTrap() {
        let extremes: [Int64] = [.min, -1, 0, .max]
        for ticks in extremes {
            for stamp in extremes {
                let one = timeline(ticks, at: stamp, rate: Int64(UInt32.max))
                #expect(one.continues(one))
                _ = one.continues(timeline(0, at: StampSpan.stamps / 2, rate: Int64(UInt32.max)))
            }
        }
    }
}
