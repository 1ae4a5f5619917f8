// SPDX-License-Identifier: Apache-2.0
import Testing
import Time

@testable import Reporting

struct LossWindowTests {
    private var window = LossWindow(.seconds(10))
    private var second: Int64 = 0

    private mutating func look(received: Int64, lost: Int64) -> Int64? {
        second += 1
        window.observe(
            SessionReception(session: 1, received: received, lost: lost),
            at: Monotonic(nanoseconds: 0) + .seconds(second))
        return window.lossPPM
    }

    @Test mutating func countsFromTheFirstPacketOn() {
        #expect(look(received: 0, lost: 0) == nil)
        #expect(look(received: 100, lost: 5) == nil)  // of before
        #expect(look(received: 199, lost: 6) == 10_000)
    }

    @Test mutating func forgetsWhatIsOlder() {
        #expect(look(received: 100, lost: 0) == nil)
        #expect(look(received: 190, lost: 10) == 100_000)
        var last: Int64?
        for step in 1...9 as ClosedRange<Int64> { last = look(received: 190 + step * 100, lost: 10) }
        #expect(last == 10_000)
        #expect(look(received: 1_190, lost: 10) == 0)
    }

    @Test mutating func aSilentWindowIsLost() {
        var last: Int64?
        for _ in 0...9 { last = look(received: 0, lost: 0) }
        #expect(last == nil)
        #expect(look(received: 0, lost: 0) == 1_000_000)
        #expect(look(received: 50, lost: 0) == nil)
        #expect(look(received: 100, lost: 0) == 0)
    }

    /// The gap of an outage shows with the first packet behind it.
    @Test mutating func beginsAnew() {
        _ = look(received: 100, lost: 0)
        _ = look(received: 200, lost: 0)
        window.restart()
        #expect(look(received: 200, lost: 0) == nil)
        #expect(look(received: 201, lost: 900) == nil)
        #expect(look(received: 301, lost: 900) == 0)
    }

    @Test mutating func totalsThatGoBackAreOfAnotherReception() {
        _ = look(received: 100, lost: 50)
        _ = look(received: 200, lost: 60)
        #expect(look(received: 10, lost: 0) == nil)
        #expect(look(received: 110, lost: 0) == 0)
    }
}
