// SPDX-License-Identifier: Apache-2.0
import Testing
import Time

@testable import Recording

@Suite struct IncidentCausesTests {
    private static func second(_ number: Int64) -> Monotonic { Monotonic(nanoseconds: number * 1_000_000_000) }

    private static func stall(_ number: Int64, _ causes: inout IncidentCauses) {
        causes.happened(.stall, "\(number)", at: second(number))
    }

    @Test func aCauseIsDueAMomentLater() {
        var causes = IncidentCauses()
        Self.stall(10, &causes)
        #expect(causes.takeDue(at: Self.second(11), budget: 1) == [])
        #expect(causes.takeDue(at: Self.second(12), budget: 1) == [.init(kind: .stall, cause: "10")])
        #expect(causes.takeDue(at: Self.second(13), budget: 1) == [])
    }

    /// One of a kind a minute. Another kind is another incident.
    @Test func whatComesAgainAtOnceIsPassedOver() {
        var causes = IncidentCauses()
        for number in 0..<90 { Self.stall(Int64(number), &causes) }
        causes.happened(.service, "down", at: Self.second(80))
        let due = causes.takeDue(at: Self.second(100), budget: 1)
        #expect(due.map(\.cause) == ["0", "60", "down"] && causes.passedOver == 88)
    }

    /// The disk takes so much in an hour; when that is over it takes as much again.
    @Test func theDiskHasItsShareInAnHour() {
        var causes = IncidentCauses()
        var (kept, minute) = (0, Int64(0))
        while minute < 180 {
            Self.stall(minute * 60, &causes)
            for _ in causes.takeDue(at: Self.second(minute * 60 + 2), budget: 1_000) {
                kept += 1
                causes.wrote(300, at: Self.second(minute * 60 + 2))
            }
            minute += 1
        }
        // The fourth passes the budget, so that no fifth comes within an hour of the first.
        #expect(kept == 12 && causes.passedOver == 168)
    }
}
