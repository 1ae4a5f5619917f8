// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing
import Time

@testable import Provisioning

/// Orders that go out in waves, and stop by themselves when boxes fail.
@Suite struct RolloutTests {
    private static let start = OrderMaker.now

    private static func after(_ seconds: Int64) -> WallTime {
        WallTime(nanoseconds: start.nanoseconds + seconds * 1_000_000_000)
    }

    private static func report(
        _ box: String, group: String? = "bar", _ change: (inout SettingsReport) -> Void = { _ in }
    ) -> SettingsReport {
        var report = SettingsReport()
        (report.box, report.group) = (box, group)
        change(&report)
        return report
    }

    /// A venue of boxes that have reported once.
    private static func venue(_ count: Int) -> DesiredState {
        var state = DesiredState()
        for number in 0..<count { _ = state.reported(report("box-\(number)"), at: start) }
        return state
    }

    private static func offered(_ state: DesiredState) -> Set<String> {
        Set(state.boxes.keys.filter { state.desired(of: $0)?.number == state.rollouts.last?.number })
    }

    /// The box has taken the order, and proved its settings.
    private static func succeed(_ box: String, _ state: inout DesiredState, isConfirmed: Bool = true) throws {
        let rollout = try #require(state.rollouts.last)
        _ = state.reported(
            report(box) { report in
                (report.order, report.isConfirmed) = (rollout.order.revision, isConfirmed)
                report.judged = SettingsReport.Judgement()
                report.judged?.tag = "\"\(rollout.tag)\""
            }, at: after(10))
    }

    private static func fail(_ box: String, _ reason: String?, _ state: inout DesiredState) throws {
        let rollout = try #require(state.rollouts.last)
        _ = state.reported(
            report(box) { report in
                var judged = SettingsReport.Judgement()
                (judged.tag, judged.reason, judged.why) = ("\"\(rollout.tag)\"", reason, reason)
                report.judged = judged
            }, at: after(10))
    }

    private static func begin(
        _ waves: [Rollout.Wave], mostFailures: Int = 0, in state: inout DesiredState
    ) throws {
        var terms = Rollout.Terms()
        (terms.waves, terms.mostFailures) = (waves, mostFailures)
        _ = state.begin(try OrderMaker.order(42), tag: "a", terms, at: start)
    }

    @Test func wavesFollowOneAnother() throws {
        var state = Self.venue(50)
        try Self.begin([.boxes(1), .percent(10), .percent(50)], in: &state)
        for expected in [1, 5, 25, 50] {
            let wave = Self.offered(state)
            #expect(wave.count == expected)
            #expect(state.rollouts.last?.state == .running)
            for box in wave.sorted() {
                try Self.succeed(box, &state)
                #expect(state.drift(of: box) == .none)
            }
        }
        #expect(state.rollouts.last?.state == .done && state.rollouts.last?.successes == 50)
    }

    /// What has not proved itself does not count.
    @Test func theNextWaveWaitsForTheProof() throws {
        var state = Self.venue(10)
        try Self.begin([.boxes(2)], in: &state)
        let wave = Self.offered(state)
        for box in wave { try Self.succeed(box, &state, isConfirmed: false) }
        #expect(Self.offered(state) == wave && wave.allSatisfy { state.drift(of: $0) == .behind })
        for box in wave { try Self.succeed(box, &state) }
        #expect(Self.offered(state).count == 10)
    }

    @Test func stopsWhenBoxesReturn() throws {
        for (reason, most) in [("expired", 0), (nil, 0), ("settings", 1)] as [(String?, Int)] {
            var state = Self.venue(10)
            try Self.begin([.boxes(4)], mostFailures: most, in: &state)
            let wave = Self.offered(state).sorted()
            for box in wave.prefix(most + 1) { try Self.fail(box, reason, &state) }
            guard case .stopped(let why) = try #require(state.rollouts.last).state else {
                Issue.record("it goes on after \(most + 1) failures")
                continue
            }
            #expect(why.contains("\(most + 1) boxes failed"))
            for box in wave.dropFirst(most + 1) { try Self.succeed(box, &state) }
            #expect(Self.offered(state) == Set(wave), "nobody else gets it")
            #expect(state.drift(of: wave[0]) == .failed)
        }
    }

    @Test func silenceIsAFailure() throws {
        var state = Self.venue(10)
        try Self.begin([.boxes(2)], in: &state)
        #expect(state.tick(at: Self.after(899)).isEmpty)
        #expect(state.tick(at: Self.after(901)) == [1])
        guard case .stopped = try #require(state.rollouts.last).state else { return #expect(Bool(false)) }
        // One that comes back later has it all the same.
        let box = try #require(Self.offered(state).first)
        try Self.succeed(box, &state)
        #expect(state.drift(of: box) == .none)
    }

    @Test func aNewRolloutTakesThePlaceOfTheOneBefore() throws {
        var state = Self.venue(4)
        try Self.begin([.boxes(1)], in: &state)
        let first = Self.offered(state)
        _ = state.begin(try OrderMaker.order(43), tag: "b", Rollout.Terms(), at: Self.start)
        #expect(state.rollouts.map(\.number) == [1, 2] && Self.offered(state).count == 4)
        guard case .stopped = state.rollouts[0].state else { return #expect(Bool(false)) }
        // A box that goes from the first to the second has failed at neither.
        let box = try #require(first.first)
        try Self.succeed(box, &state)
        #expect(state.rollouts[0].outcomes[box] == .done(Self.after(10)))
    }

    @Test func onlyThoseAreServedWhomTheOrderIsFor() throws {
        var state = DesiredState()
        _ = state.reported(Self.report("in"), at: Self.start)
        _ = state.reported(Self.report("out", group: "hall"), at: Self.start)
        let order = try OrderMaker.order(7, ["target": ["group": "bar", "all": .null]])
        _ = state.begin(order, tag: "g", Rollout.Terms(), at: Self.start)
        #expect(state.desired(of: "in") != nil && state.desired(of: "out") == nil && state.drift(of: "out") == .free)
        // The last wave has begun: a box that comes later is of it.
        _ = state.reported(Self.report("late"), at: Self.start)
        #expect(state.desired(of: "late") != nil)
        for box in ["in", "late"] { try Self.succeed(box, &state) }
        #expect(state.rollouts.last?.state == .done)
    }

    @Test func aChangeAtTheBoxIsDrift() throws {
        var state = Self.venue(1)
        try Self.begin([], in: &state)
        try Self.succeed("box-0", &state)
        _ = state.reported(
            Self.report("box-0") { ($0.order, $0.isChanged) = (42, true) }, at: Self.after(20))
        #expect(state.drift(of: "box-0") == .changed)
    }

    @Test func thereIsRoomForSoManyBoxes() {
        var state = Self.venue(DesiredState.mostBoxes)
        #expect(state.reported(Self.report("one more"), at: Self.start) == nil)
        #expect(state.reported(Self.report("box-1"), at: Self.start) == [])
    }

    /// Whatever boxes report in whatever order: never more boxes than the wave has, and none after it stopped.
    @Test func anyReports() throws {
        for seed in 0..<200 as Range<UInt64> {
            var random = SplitMix64(seed: seed)
            var state = Self.venue(.random(in: 0...20, using: &random))
            let most = Int.random(in: 0...2, using: &random)
            try Self.begin([.boxes(1), .percent(30)], mostFailures: most, in: &state)
            for _ in 0..<60 {
                let box = "box-\(Int.random(in: 0...25, using: &random))"
                let before = Self.offered(state)
                let wasRunning = state.rollouts.last?.state == .running
                switch Int.random(in: 0..<4, using: &random) {
                case 0: try Self.fail(box, "x", &state)
                case 1: try Self.succeed(box, &state, isConfirmed: false)
                case 2: _ = state.reported(Self.report(box), at: Self.after(20))
                default: try Self.succeed(box, &state)
                }
                let rollout = try #require(state.rollouts.last)
                if !wasRunning, rollout.state != .done { #expect(Self.offered(state) == before, "seed \(seed)") }
                if rollout.state == .running { #expect(rollout.failures <= most, "seed \(seed)") }
            }
        }
    }
}
