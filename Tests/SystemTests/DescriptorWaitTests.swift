// SPDX-License-Identifier: Apache-2.0
import Glibc
import TestSupport
import Testing
import Time

@testable import System

@Suite struct DescriptorWaitTests {
    @Test func endsForADescriptorAWakeUpOrInTime() async throws {
        let wait = try DescriptorWait()
        var ends: [CInt] = [0, 0]
        #expect(pipe(&ends) == 0)
        defer { ends.forEach { close($0) } }
        let start = SystemClock.monotonic()
        #expect(!wait.wait(for: [ends[0]], until: start + .milliseconds(20)))
        #expect(SystemClock.monotonic() - start >= .milliseconds(20))
        // One that came before is kept, and then used up.
        wait.wake()
        wait.wake()
        #expect(!wait.wait(for: [ends[0]], until: start + .seconds(60)))
        #expect(SystemClock.monotonic() - start < .seconds(30))
        let next = SystemClock.monotonic()
        #expect(!wait.wait(for: [], until: next + .milliseconds(20)))
        #expect(SystemClock.monotonic() - next >= .milliseconds(20))
        #expect(write(ends[1], [1], 1) == 1)
        #expect(wait.wait(for: [ends[0]], until: next + .seconds(60)))
        // It is still there.
        #expect(wait.wait(for: [ends[0]], until: next))
    }

    @Test func readingsAreCloseToEachOther() {
        let precision = SystemClock.measuredPrecision()
        #expect(precision >= Nanoseconds(1) && precision < .milliseconds(1))
    }
}
