// SPDX-License-Identifier: Apache-2.0
import Testing
import Time

@Suite struct MonotonicTests {
    @Test func arithmetic() {
        let start = Monotonic(nanoseconds: 1_000)
        #expect(start + .microseconds(2) == Monotonic(nanoseconds: 3_000))
        #expect(start - .microseconds(2) == Monotonic(nanoseconds: -1_000))
        #expect(Monotonic(nanoseconds: -1_000) - start == Nanoseconds(-2_000))
        #expect(start < start + Nanoseconds(1))
    }

    @Test func spans() {
        #expect(Nanoseconds.seconds(2) == .milliseconds(2_000))
        #expect(Nanoseconds(-1_999_999).milliseconds == -1)
        #expect(Nanoseconds(-5).magnitude == Nanoseconds(5))
        #expect(-Nanoseconds(5) * 3 / 2 == Nanoseconds(-7))
    }

    /// A time stamp from outside may be anything.
    @Test func neverTraps() {
        let extremes = [Nanoseconds(.min), Nanoseconds(.max), Nanoseconds(-1), .zero]
        for one in extremes {
            for other in extremes {
                _ = one + other
                _ = one - other
                _ = one * other.count
                _ = -one
                _ = one.magnitude
                _ = Monotonic(nanoseconds: one.count) - other
                _ = one / other.count
            }
        }
    }
}
