// SPDX-License-Identifier: Apache-2.0
import Testing
import Time

@testable import Reception

/// SVM-110, for channels: silence is answered by reports, ever more seldom.
struct SilenceWatchTests {
    private static func time(_ seconds: Int64) -> Monotonic { Monotonic(nanoseconds: 0) + .seconds(seconds) }

    /// Looks each 100 ms.
    private static func rejoins(_ watch: inout SilenceWatch, from start: Int64, to end: Int64) -> [Int64] {
        (start * 10..<end * 10).filter { watch.isOver(at: Monotonic(nanoseconds: $0 * 100_000_000)) }.map { $0 / 10 }
    }

    @Test func waitsGrow() {
        var watch = SilenceWatch(joinedAt: Self.time(0))
        #expect(Self.rejoins(&watch, from: 0, to: 300) == [2, 6, 14, 30, 62, 122, 182, 242])
    }

    @Test func dataEndThem() {
        var watch = SilenceWatch(joinedAt: Self.time(0))
        #expect(Self.rejoins(&watch, from: 0, to: 20) == [2, 6, 14])
        watch.heard(at: Self.time(20))
        // The same datagram, told again and again.
        for _ in 0..<3 { watch.heard(at: Self.time(20)) }
        #expect(Self.rejoins(&watch, from: 20, to: 30) == [22, 26])
        for second in 30...40 as ClosedRange<Int64> {
            watch.heard(at: Self.time(second))
            #expect(watch.isOver(at: Self.time(second + 1)) == false)
        }
        #expect(watch.isOver(at: Self.time(42)) == true)
    }

    @Test func anotherJoinBeginsAnew() {
        var watch = SilenceWatch(joinedAt: Self.time(0), SilenceWatch.Waits(first: .seconds(1), longest: .seconds(4)))
        #expect(Self.rejoins(&watch, from: 0, to: 20) == [1, 3, 7, 11, 15, 19])
        watch.joined(at: Self.time(20))
        #expect(Self.rejoins(&watch, from: 20, to: 28) == [21, 23, 27])
    }
}
