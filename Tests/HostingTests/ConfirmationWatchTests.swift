// SPDX-License-Identifier: Apache-2.0
import Testing
import Time

@testable import Hosting

/// When a change of settings is confirmed, and when it is taken back.
@Suite struct ConfirmationWatchTests {
    private static let times = ConfirmationWatch.Times(within: .seconds(60), steady: .seconds(5))

    private static func at(_ seconds: Int64) -> Monotonic { Monotonic(nanoseconds: 1_000_000_000 * (100 + seconds)) }

    /// - Parameter seconds: for each second from 0 on: what works.
    private func verdict(
        expecting expected: Set<WorkingCondition>, _ seconds: [Set<WorkingCondition>]
    ) -> (second: Int, ConfirmationWatch.Verdict)? {
        var watch = ConfirmationWatch(expected, Self.times)
        for (second, working) in seconds.enumerated() {
            let verdict = watch.observe(working, at: Self.at(Int64(second)))
            if verdict != .wait { return (second, verdict) }
        }
        return nil
    }

    @Test func whatWorksForAWhileIsConfirmed() throws {
        let found = try #require(verdict(expecting: [.picture], Array(repeating: [.picture, .network], count: 10)))
        #expect(found == (5, .confirm))
    }

    @Test func nothingIsExpectedWhereNothingWorkedBefore() throws {
        #expect(try #require(verdict(expecting: [], Array(repeating: [], count: 10))) == (5, .confirm))
    }

    /// The picture comes back after a zap of ten seconds, goes once more, and stays.
    @Test func aBreakBeginsTheWaitAnew() throws {
        let course =
            Array(repeating: Set<WorkingCondition>(), count: 10) + Array(repeating: [.picture], count: 4) + [[]]
            + Array(repeating: [.picture], count: 10)
        #expect(try #require(verdict(expecting: [.picture], course)) == (20, .confirm))
    }

    @Test func whatDoesNotComeBackIsTakenBackAndNamed() throws {
        let course = Array(repeating: Set<WorkingCondition>([.network]), count: 70)
        let found = try #require(verdict(expecting: [.picture, .announcements, .network], course))
        #expect(found == (60, .takeBack(missing: [.picture, .announcements])))
        guard case .takeBack(let missing) = found.1 else { return }
        #expect(missing.absences == "no announcement, no picture")
    }

    /// A picture that comes and goes for the whole time has not proved anything.
    @Test func whatComesAndGoesIsTakenBack() throws {
        let course: [Set<WorkingCondition>] = (0..<70).map { $0 % 4 < 2 ? [.picture] : [] }
        let found = try #require(verdict(expecting: [.picture], course))
        #expect(found.1 == .takeBack(missing: [.picture]) && found.second >= 60 && found.second < 64)
    }

    @Test func theTimeThatIsLeftIsKnown() {
        var watch = ConfirmationWatch([.picture], Self.times)
        #expect(watch.remaining(at: Self.at(0)) == .seconds(60))
        _ = watch.observe([], at: Self.at(10))
        #expect(watch.remaining(at: Self.at(30)) == .seconds(40))
        #expect(watch.remaining(at: Self.at(900)) == .zero)
    }
}
