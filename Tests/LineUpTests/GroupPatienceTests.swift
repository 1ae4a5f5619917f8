// SPDX-License-Identifier: Apache-2.0
import LineUp
import Testing
import Time

/// SVM-110 `listenerIgmpRestarts`.
struct GroupPatienceTests {
    private let start = Monotonic(nanoseconds: 1_000_000_000)

    /// Seconds after the start at which it joins again, looked at each second.
    private func restarts(
        heardAt arrivals: [Int64] = [], until end: Int64, of patience: inout GroupPatience
    ) -> [Int64] {
        (0...end).filter { second in
            let now = start + .seconds(second)
            if arrivals.contains(second) { patience.heard(at: now) }
            return patience.isOver(at: now)
        }
    }

    @Test func neverHeard() {
        var patience = GroupPatience(joinedAt: start)
        #expect(
            restarts(until: 3_000, of: &patience) == [30, 90, 210, 450, 930, 1_530, 2_130, 2_730])
    }

    /// Before the channels of 5 s are pruned at 15 s.
    @Test func silenceAfterAnnouncements() {
        var patience = GroupPatience(joinedAt: start)
        let arrivals = Array(stride(from: 0 as Int64, through: 50, by: 5))
        #expect(restarts(heardAt: arrivals, until: 100, of: &patience) == [60, 80])
    }

    @Test func aSlowAnnouncerIsNotDisturbed() {
        var patience = GroupPatience(joinedAt: start)
        let arrivals = Array(stride(from: 10 as Int64, through: 3_000, by: 300))
        #expect(restarts(heardAt: arrivals, until: 3_000, of: &patience) == [])
    }

    @Test func whatIsHeardAgainHasItsPatienceBack() {
        var patience = GroupPatience(joinedAt: start)
        let arrivals = [0, 5, 10, 15, 100, 105, 110] as [Int64]
        #expect(restarts(heardAt: arrivals, until: 121, of: &patience) == [25, 45, 85, 120])
    }
}
