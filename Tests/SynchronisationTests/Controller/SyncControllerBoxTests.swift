// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing
import Time
import Timelines

@testable import Synchronisation

/// CSS-01: boxes that follow one leader. What they present is compared by whoever sees two screens at once.
@Suite struct SyncControllerBoxTests {
    /// Eight boxes whose clocks are within 50 ppm.
    private static func boxes(seed: UInt64, late: ClosedRange<Int64>) -> [SimulatedSession] {
        var random = SplitMix64(seed: seed &+ Effort.seed)
        var configuration = SyncConfiguration()
        configuration.leader = .box
        return (0..<8).map { box in
            var session = SimulatedSession(
                configuration, late: .microseconds(.random(in: late, using: &random)), seed: random.next())
            session.drift = .random(in: -50...50, using: &random)
            session.bound = .microseconds(300)
            session.noise = .microseconds(200)
            session.start()
            session.moves()
            return session
        }
    }

    private static func spread(_ boxes: [SimulatedSession]) -> Nanoseconds {
        let late = boxes.map(\.late)
        return (late.max() ?? .zero) - (late.min() ?? .zero)
    }

    @Test(arguments: Effort.seeds(20)) func eightBoxesAreWithinAMillisecondAfterThreeSeconds(seed: UInt64) {
        for late in [-3_000_000...3_000_000, -50_000...50_000, -4_000...4_000] as [ClosedRange<Int64>] {
            var boxes = Self.boxes(seed: seed, late: late)
            for index in boxes.indices { boxes[index].run(for: .seconds(3)) }
            #expect(Self.spread(boxes) <= .milliseconds(1), "of \(late) µs: \(Self.spread(boxes))")
            var worst = Nanoseconds.zero
            for _ in 0..<100 {
                for index in boxes.indices { boxes[index].run(for: .seconds(1)) }
                worst = max(worst, Self.spread(boxes))
            }
            #expect(worst <= .milliseconds(1), "\(worst)")
            #expect(boxes.allSatisfy { $0.jumps.count <= 1 && $0.greatestRate <= 5_000_000 })
        }
    }

    /// The leader's timeline steps by what is too little for a jump: all follow by rate, and stay together.
    @Test(arguments: [-8, 3, 40] as [Int64]) func theyFollowAStepOfTheLeaderTogether(step: Int64) {
        var boxes = Self.boxes(seed: 11, late: -100_000...100_000)
        for index in boxes.indices {
            boxes[index].run(for: .seconds(30))
            boxes[index].step(by: .milliseconds(step))
            boxes[index].run(for: .seconds(14))
        }
        #expect(boxes.allSatisfy { $0.late.magnitude < .milliseconds(1) && $0.jumps.count <= 1 })
    }

    /// The leader's power fails. What a box knows of the next leader's clock is wrong by a millisecond at first.
    @Test func theClockOfANewLeaderIsApproachedSlowly() {
        var boxes = Self.boxes(seed: 13, late: -100_000...100_000)
        for index in boxes.indices {
            boxes[index].run(for: .seconds(60))
            boxes[index].loses()
            boxes[index].run(for: .milliseconds(800))
            boxes[index].bound = .milliseconds(2)
            let wrong = Nanoseconds.microseconds(index % 2 == 0 ? 1_200 : -1_200)
            boxes[index].step(by: wrong)
            boxes[index].moves()
            boxes[index].run(for: .seconds(4))
            boxes[index].step(by: .zero - wrong, announced: false)
        }
        #expect(boxes.allSatisfy { $0.late.magnitude < .microseconds(800) }, "\(boxes.map(\.late))")
        for index in boxes.indices { boxes[index].run(for: .seconds(30)) }
        #expect(Self.spread(boxes) < .milliseconds(1))
        #expect(boxes.allSatisfy { $0.jumps.count == 1 })
    }

    /// The leader moves while a box may not wait again: it approaches by rate, and then waits. The rate leads nowhere then.
    @Test(arguments: Effort.seeds(20)) func aWaitEndsTheRateBeforeIt(seed: UInt64) throws {
        var box = Self.boxes(seed: seed, late: -270_000...(-270_000))[0]
        box.run(for: .milliseconds(700))
        box.step(by: .milliseconds(-390), announced: false)
        for _ in 0..<50 where box.jumps.count < 2 { box.run(for: .milliseconds(100)) }
        let waited = try #require(box.jumps.last?.at)
        #expect(box.jumps.count == 2 && box.greatestRate > 1_000_000)
        box.run(for: waited + .seconds(1) - box.elapsed)
        #expect(box.late.magnitude < .microseconds(700), "\(box.late)")
    }

    /// The first measurements were taken while both boxes moved, and say nothing of how exact later ones are.
    @Test func whatABoxMeasuresIsBelieved() {
        var filter = ErrorFilter(leader: .box)
        for error in [-639e6, 7.8e6, 4.6e6] { filter.add(error) }
        for _ in 0..<10 {
            filter.advance(seconds: 0.1, gained: 0)
            filter.add(-2.4e6)
        }
        #expect(filter.isKnown && (filter.error + 2.4e6).magnitude < 2e5, "\(filter.error)")
    }

    /// The leader falls silent: what the boxes know of its clock grows worse by the second, and nobody chases that.
    @Test func theyStayTogetherWhileTheBoundGrows() {
        var boxes = Self.boxes(seed: 12, late: -100_000...100_000)
        for index in boxes.indices { boxes[index].run(for: .seconds(60)) }
        for second in 0..<60 {
            for index in boxes.indices {
                boxes[index].bound = .microseconds(300 + 100 * Int64(second))
                boxes[index].run(for: .seconds(1))
            }
        }
        #expect(Self.spread(boxes) < .milliseconds(2))
        #expect(boxes.allSatisfy { $0.jumps.count == 1 })
    }
}
