// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing
import Time

@Suite struct WallTimeTests {
    @Test(
        arguments: [
            (0, 0, "1970-01-01T00:00:00.000Z"),
            (951_782_400, 0, "2000-02-29T00:00:00.000Z"),
            (951_868_799, 999_999_999, "2000-02-29T23:59:59.999Z"),
            (951_868_800, 0, "2000-03-01T00:00:00.000Z"),
            (1_709_208_000, 1_000_000, "2024-02-29T12:00:00.001Z"),
            (1_795_222_923, 456_000_000, "2026-11-21T01:02:03.456Z"),
            (4_107_542_400, 0, "2100-03-01T00:00:00.000Z"),  // 2100 has no 29 February
            (-1, 999_000_000, "1969-12-31T23:59:59.999Z"),
            (-1, 999_999_999, "1969-12-31T23:59:59.999Z"),  // not the next second
            (-2_203_891_200, 0, "1900-03-01T00:00:00.000Z"),
            (-2_203_891_201, 0, "1900-02-28T23:59:59.000Z"),
        ] as [(Int64, Int64, String)])
    func vectors(seconds: Int64, nanoseconds: Int64, text: String) {
        #expect(WallTime(nanoseconds: seconds * 1_000_000_000 + nanoseconds).description == text)
    }

    /// From 1678 to 2261, against Foundation.
    @Test(arguments: 1...4 as ClosedRange<UInt64>) func agreesWithFoundation(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        let style = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
        for _ in 0..<500 {
            // Whole milliseconds: Foundation's dates are not exact below.
            let milliseconds = Int64.random(in: -9_214_000_000_000...9_214_000_000_000, using: &random)
            let date = Date(timeIntervalSince1970: Double(milliseconds) / 1_000 + 0.000_1)
            #expect(WallTime(nanoseconds: milliseconds * 1_000_000).description == date.formatted(style))
        }
    }

    @Test(arguments: [Int64.min, .max]) func neverTraps(nanoseconds: Int64) {
        #expect(WallTime(nanoseconds: nanoseconds).description.hasSuffix("Z"))
    }
}
