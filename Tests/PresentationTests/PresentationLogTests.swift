// SPDX-License-Identifier: Apache-2.0
import Testing
import Time

@testable import Presentation

@Suite struct PresentationLogTests {
    private func entry(_ number: Int64) -> PresentationLog.Entry {
        let due = Monotonic(nanoseconds: number * 40_000_000)
        return PresentationLog.Entry(session: 1, pts: number * 3_600, due: due, visible: due + .milliseconds(1))
    }

    @Test func entriesFollowTheirNumbers() {
        let log = PresentationLog()
        #expect(log.entries(from: 0, atMost: 10).next == 0)
        for number in 0..<5 { log.add(entry(Int64(number))) }
        let first = log.entries(from: 0, atMost: 3)
        #expect(first.entries.map(\.pts) == [0, 3_600, 7_200] && first.next == 3)
        let rest = log.entries(from: first.next, atMost: 3)
        #expect(rest.entries.map(\.pts) == [10_800, 14_400] && rest.next == 5)
        // A number that is not there yet is not an error: whoever asks is ahead of a box that was started anew.
        #expect(log.entries(from: 99, atMost: 3).next == 5)
        #expect(log.entries(from: 2, atMost: 0).next == 2)
    }

    @Test func theNewestAreKept() {
        let log = PresentationLog()
        let count = PresentationLog.capacity + 100
        for number in 0..<count { log.add(entry(Int64(number))) }
        let all = log.entries(from: 0, atMost: .max)
        #expect(all.entries.map(\.pts) == (100..<count).map { Int64($0) * 3_600 } && all.next == count)
    }
}
