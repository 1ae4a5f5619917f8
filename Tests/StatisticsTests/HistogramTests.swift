// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import Statistics

@Suite struct HistogramTests {
    @Test func aBoundIsWithinItsBucket() {
        var histogram = Histogram(upTo: [10, 20])
        for value in [-1, 10, 11, 20, 21, 1_000] as [Int64] { histogram.count(value) }
        #expect(histogram.buckets == [2, 2, 2])
        #expect(histogram.total == 6 && histogram.sum == 1_061)
    }

    @Test func takesAsManyBoundsAsItSays() {
        var histogram = Histogram(upTo: Array(1...Int64(Histogram.mostBounds)))
        for value in 0...Int64(Histogram.mostBounds) + 1 { histogram.count(value) }
        #expect(histogram.buckets == [2] + Array(repeating: 1, count: Histogram.mostBounds))
    }

    @Test func hugeValuesDoNotTrap() {
        var histogram = Histogram(upTo: [0])
        histogram.count(.max)
        histogram.count(.max)
        histogram.count(.min)
        #expect(histogram.total == 3)
    }
}
