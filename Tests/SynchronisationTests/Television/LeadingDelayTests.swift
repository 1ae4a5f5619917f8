// SPDX-License-Identifier: Apache-2.0
import Testing
import Time

@testable import Synchronisation

/// When a leading box waits for others, and when a box says that it needs that.
@Suite struct LeadingDelayTests {
    private static func at(_ milliseconds: Int64) -> Monotonic { Monotonic(nanoseconds: milliseconds * 1_000_000) }

    @Test func goesBackAtOnceWithALittleRoom() {
        var delay = LeadingDelay()
        #expect(delay.growth(to: nil, applied: .zero, at: Self.at(0)) == nil)
        #expect(delay.growth(to: .zero, applied: .zero, at: Self.at(0)) == nil)
        #expect(delay.growth(to: .seconds(1), applied: .zero, at: Self.at(100)) == .milliseconds(1_040))
        // What the followers said of the delay before does not count twice.
        #expect(delay.growth(to: .seconds(1), applied: .zero, at: Self.at(200)) == nil)
        #expect(delay.growth(to: .seconds(1), applied: .milliseconds(1_040), at: Self.at(900)) == nil)
    }

    /// A follower that has any room left is not waited for.
    @Test func leavesRoomForCorrections() {
        var delay = LeadingDelay()
        #expect(delay.growth(to: .milliseconds(300), applied: .milliseconds(301), at: Self.at(0)) == nil)
        #expect(
            delay.growth(to: .milliseconds(300), applied: .milliseconds(298), at: Self.at(0)) == .milliseconds(42))
    }

    /// It never comes nearer, and a follower whose need grows all the time is waited for less and less often.
    @Test func movesLessAndLessOften() {
        var delay = LeadingDelay()
        var (applied, moves) = (Nanoseconds.zero, 0)
        for step in 0..<600 {
            let need = applied + .milliseconds(50)
            if let growth = delay.growth(to: need, applied: applied, at: Self.at(Int64(step) * 100)) {
                #expect(growth > .zero)
                applied = applied + growth
                moves += 1
            }
        }
        #expect((5...8).contains(moves))
        // After a minute of rest it is again as at first.
        #expect(delay.growth(to: applied + .seconds(1), applied: applied, at: Self.at(200_000)) != nil)
        #expect(delay.growth(to: applied + .seconds(1), applied: applied, at: Self.at(201_300)) != nil)
    }

    @Test func whatIsNeededIsToldAtOnceAndElseOnceASecond() {
        var pacing = PresentationPacing()
        var told: [Int64] = []
        for step in 0..<40 as Range<Int64> {
            let needs = step < 15 ? -200 : step < 20 ? 800 : step < 30 ? 0 : -300
            if pacing.isDue(needs: .milliseconds(Int64(needs)), at: Self.at(step * 100)) { told.append(step) }
        }
        // Changes of what it need not wait for are not urgent.
        #expect(told == [0, 10, 15, 20, 30])
    }
}
