// SPDX-License-Identifier: Apache-2.0
import Testing
import Time

@testable import Mixing

@Suite struct OutputRetryTests {
    private func waits(_ retry: inout OutputRetry, from now: inout Monotonic, count: Int) -> [Int64] {
        (0..<count).map { _ in
            retry.failed(at: now)
            let began = now
            while !retry.isDue(at: now) { now += .milliseconds(100) }
            return (now - began).seconds
        }
    }

    @Test func waitsGrowToTenSeconds() {
        var retry = OutputRetry()
        var now = Monotonic(nanoseconds: 0)
        #expect(retry.isDue(at: now))
        #expect(waits(&retry, from: &now, count: 7) == [1, 2, 4, 8, 10, 10, 10])
        retry.hinted()
        #expect(retry.isDue(at: now))
        #expect(waits(&retry, from: &now, count: 2) == [1, 2])
    }

    @Test func whatIsLostAtOnceWaitsLonger() {
        var retry = OutputRetry()
        var now = Monotonic(nanoseconds: 0)
        _ = waits(&retry, from: &now, count: 2)
        retry.wasOpened(at: now)
        now += .seconds(1)
        #expect(waits(&retry, from: &now, count: 1) == [4])
        retry.wasOpened(at: now)
        now += .seconds(60)
        #expect(waits(&retry, from: &now, count: 1) == [1])
    }
}
