// SPDX-License-Identifier: Apache-2.0
import Testing
import Time

@testable import Timelines

@Suite struct StampSpanTests {
    @Test func hasItsFirstAndNotItsEnd() {
        let span = StampSpan(from: 900_000, for: .seconds(2))
        let inside: [Int64] = [900_000, 900_001, 1_079_999]
        let outside: [Int64] = [899_999, 1_080_000, 0, .min, -1]
        #expect(inside.allSatisfy { span.contains($0) })
        #expect(!outside.contains { span.contains($0) })
    }

    /// Boxes that joined on either side of the end of the 33 bits count their turns differently.
    @Test func turnsDoNotMatter() {
        let span = StampSpan(from: StampSpan.stamps * 3 - 90_000, for: .seconds(2))
        #expect(span.start == StampSpan.stamps - 90_000)
        let inside: [Int64] = [-90_000, -1, 0, 89_999, StampSpan.stamps - 90_000, StampSpan.stamps * 7 + 89_999]
        let outside: [Int64] = [-90_001, 90_000, StampSpan.stamps + 90_000]
        #expect(inside.allSatisfy { span.contains($0) })
        #expect(!outside.contains { span.contains($0) })
    }

    /// What is before a span is not behind it too, however long it is; one without pictures has none.
    @Test func lengthsAreLimited() {
        let long = StampSpan(from: 0, for: Nanoseconds(.max))
        #expect(long.contains(0) && long.contains(1 << 31) && !long.contains(-1) && !long.contains(-1 << 31))
        #expect(long.ticks < StampSpan.stamps / 2)
        for span in [Nanoseconds.zero, .seconds(-1), Nanoseconds(.min)] {
            #expect(!StampSpan(from: 5, for: span).contains(5))
        }
    }
}
