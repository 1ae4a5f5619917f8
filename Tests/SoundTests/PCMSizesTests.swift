// SPDX-License-Identifier: Apache-2.0
import Testing
import Time

@testable import Sound

@Suite struct PCMSizesTests {
    @Test func itGrowsTwice() throws {
        let deeper = try #require(PCMSizes.usual.deeper)
        #expect(deeper.buffer == .milliseconds(100) && deeper.period == .milliseconds(20))
        let deepest = try #require(deeper.deeper)
        #expect(deepest.buffer == .milliseconds(200) && deepest.period == .milliseconds(20))
        #expect(deepest.deeper == nil)
        #expect(PCMSizes.usual.buffer(at: 44_100) == 2_205 && PCMSizes.usual.period(at: 48_000) == 480)
    }

    /// Period and buffer as drivers give them.
    @Test(arguments: [
        (480, 2_400, true), (1_024, 4_096, true), (4_096, 8_192, true), (240, 960, true),
        (480, 480, false), (2_400, 2_400, false), (0, 2_400, false), (120, 480, false), (4, 1 << 21, false),
    ]) func shortBuffersAreRefused(period: Int, buffer: Int, isGood: Bool) {
        #expect((PCMSizes.problem(period: period, buffer: buffer, rate: 48_000) == nil) == isGood)
    }
}
