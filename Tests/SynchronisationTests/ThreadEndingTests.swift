// SPDX-License-Identifier: Apache-2.0
import Buffers
import System
import TestSupport
import Testing
import Time

@testable import Synchronisation

@Suite struct ThreadEndingTests {
    /// Nothing waits for what takes long, and its end is reported.
    @Test func endsAreReportedInOrder() async throws {
        try await onThread {
            Result {
                let loop = try EventLoop()
                let ending = try ThreadEnding(loop: loop)
                let release = Wakeup()
                var reports: [Int] = []
                ending.end({ release.wait(until: SystemClock.monotonic() + .seconds(20)) }, then: { reports.append(1) })
                ending.end({}, then: { reports.append(2) })
                try loop.turn(atMost: .milliseconds(20))
                #expect(reports.isEmpty)
                release.signal()
                let end = SystemClock.monotonic() + .seconds(20)
                while reports.count < 2, SystemClock.monotonic() < end { try loop.turn(atMost: .milliseconds(20)) }
                #expect(reports == [1, 2])
                // The next one has a thread of its own.
                ending.end({}, then: { reports.append(3) })
                while reports.count < 3, SystemClock.monotonic() < end { try loop.turn(atMost: .milliseconds(20)) }
                #expect(reports == [1, 2, 3])
                ending.stop()
            }
        }.get()
    }

    @Test func stopWaitsForAllAndReportsNothing() async throws {
        try await onThread {
            Result {
                let loop = try EventLoop()
                let ending = try ThreadEnding(loop: loop)
                let count = LatestValue(0)
                var hasReported = false
                for _ in 0..<20 { ending.end({ count.set(count.value + 1) }, then: { hasReported = true }) }
                ending.stop()
                #expect(count.value == 20)
                try loop.turn(atMost: .milliseconds(1))
                #expect(!hasReported)
            }
        }.get()
    }
}
