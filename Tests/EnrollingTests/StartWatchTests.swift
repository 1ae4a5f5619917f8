// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing
import Time

@testable import Enrolling

@Suite struct StartWatchTests {
    private static func time(_ seconds: Int64) -> WallTime { WallTime(nanoseconds: seconds * 1_000_000_000) }
    private static let (a, b, c) = (
        "00000005-00000000000000aa", "00000005-00000000000000bb", "00000006-00000000000000cc"
    )

    private func told(_ reports: [(String, Int64?)]) -> Int {
        var watch = StartWatch()
        return reports.count { watch.reported($0.0, made: $0.1.map(Self.time)) != nil }
    }

    /// The newest state goes first, then what waited of earlier starts, with newer states in between.
    @Test func aBoxThatCatchesUpIsOne() {
        var reports: [(String, Int64?)] = (0..<50).map { (Self.a, $0) }
        for step in 0..<200 { reports += [(Self.c, 1_000 + Int64(step)), (Self.a, 50 + Int64(step))] }
        #expect(told(reports) == 0)
        #expect(told(reports.map { ($0.0, nil) }) == 0)
    }

    @Test func twoThatLiveAtOnceAreTold() {
        let reports = (0..<20).flatMap { [(Self.a, Int64?(2 * $0)), (Self.b, 2 * $0 + 1)] }
        #expect(told(reports) > 20)
        // The clocks are not set, but both started as the fifth start of the same box.
        #expect(told(reports.map { ($0.0, nil) }) > 20)
        let different = (0..<20).flatMap { [(Self.a, Int64?(2 * $0)), (Self.c, 2 * $0 + 1)] }
        #expect(told(different) > 20)
    }

    /// A clock that was ahead and is set back after the restart makes one look like a return.
    @Test func aClockThatIsSetBackIsNoClone() {
        let reports: [(String, Int64?)] = [
            (Self.a, 5_000), (Self.c, 100), (Self.c, 200), (Self.a, 5_001), (Self.c, 5_100),
        ]
        #expect(told(reports) == 0)
    }
}
