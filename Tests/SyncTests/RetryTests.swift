// SPDX-License-Identifier: Apache-2.0
import Testing
import Time

@testable import Sync

/// What failed at the start is tried again (`sync.md` F4).
@Suite struct RetryTests {
    private static func at(_ seconds: Int64) -> Monotonic { Monotonic(nanoseconds: seconds * 1_000_000_000) }

    @Test func isTriedAgainAndToldOnce() {
        var retry = Retry()
        #expect(!retry.isDue(at: Self.at(1_000)))
        var (now, told, tries) = (Int64(0), 0, [Int64]())
        while now < 100 {
            if now == 0 || retry.isDue(at: Self.at(now)) {
                tries.append(now)
                told += retry.failed("no such address", at: Self.at(now)) ? 1 : 0
            }
            now += 1
        }
        #expect(tries == [0, 1, 3, 7, 15, 31, 47, 63, 79, 95] && told == 1)
        let isNews = retry.failed("port taken", at: Self.at(100))
        #expect(isNews && retry.isDue(at: Self.at(101)))
        retry.reset()
        #expect(!retry.isDue(at: Self.at(1_000)))
    }
}
