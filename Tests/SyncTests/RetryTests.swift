// SPDX-License-Identifier: Apache-2.0
import JSON
import System
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

    /// Another program has the port. The box serves as soon as that has ended, and said once that it did not.
    @Test func servesWhenThePortIsFree() throws {
        let serving: JSONValue = ["isEnabled": true, "addresses": ["127.0.0.1"], "port": 0, "wallClockPort": 0]
        let other = try SyncBench(["serve": serving])
        other.host.start()
        let url = try #require(try other.answer("sync")["served"]?.string)
        let place = try #require(url.split(separator: ":").last)
        let port = try #require(Int64(place.prefix { $0 != "/" }))
        let bench = try SyncBench(["serve": serving.merging(patch: ["port": .integer(port)])])
        bench.host.start()
        let start = SystemClock.monotonic()
        for second in 0..<20 { bench.host.tick(at: start + .seconds(Int64(second))) }
        #expect(try bench.answer("sync")["served"] == .null)
        let told = try bench.takeEvents().map { "\($0.type) \($0.payload["what"]?.string ?? "")" }
        #expect(told == ["sync.television notServed"])
        other.host.stop()
        var second: Int64 = 20
        while second < 100, try bench.answer("sync")["served"] == .null {
            try other.loop.turn(atMost: .milliseconds(10))  // its threads end
            bench.host.tick(at: start + .seconds(second))
            second += 1
        }
        #expect(try bench.answer("sync")["served"] == .string(url), "after \(second) s")
    }
}
