// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing
import Time

@testable import Provisioning

/// SVM-21: a box asks a server for its order.
@Suite struct OrderPullTests {
    private static let wait = Nanoseconds.seconds(25)
    private let start = Monotonic(nanoseconds: 1_000_000_000_000)

    /// A box and its server, with the time that passes.
    private struct Scene {
        var pull: OrderPull
        var now: Monotonic
        var random = SplitMix64(seed: 21)

        init(_ start: Monotonic) {
            now = start
            pull = OrderPull(wait: OrderPullTests.wait, at: start)
        }

        /// Lets the time pass until the box does something.
        /// - Returns: seconds until then, and what it does; nil if it only waits for its server.
        mutating func next() -> (after: Double, action: OrderPull.Action?)? {
            guard let instant = pull.nextTick else { return nil }
            let passed = max(.zero, instant - now)
            now = max(now, instant)
            return (Double(passed.count) / 1e9, pull.tick(at: now))
        }

        mutating func answer(_ answer: OrderPull.Answer, after span: Nanoseconds = .zero) -> OrderPull.Action? {
            now = now + span
            return pull.answered(answer, at: now, &random)
        }
    }

    @Test func asksAtOnceAndAgainWhenTheOrderIsJudged() {
        var scene = Scene(start)
        #expect(scene.next()?.action == .ask(tag: nil))
        #expect(scene.pull.nextTick == nil)
        #expect(scene.answer(.document([1, 2], tag: "\"a\""), after: .seconds(3)) == .give([1, 2]))
        #expect(scene.pull.tag == nil, "not before it is judged")
        scene.pull.judged(isBusy: false, at: scene.now)
        let next = scene.next()
        #expect(next?.action == .ask(tag: "\"a\"") && next?.after == 0)
    }

    @Test func givesAgainWhatNobodyHadTimeFor() {
        var scene = Scene(start)
        _ = scene.next()
        _ = scene.answer(.document([1], tag: "\"a\""))
        for _ in 0..<3 {
            scene.pull.judged(isBusy: true, at: scene.now)
            let next = scene.next()
            #expect(next?.action == .give([1]) && next?.after == 1)
        }
        scene.pull.judged(isBusy: false, at: scene.now)
        #expect(scene.pull.tag == "\"a\"")
    }

    /// The same order again, from a server that does not look at the tag, is not judged again.
    @Test func isNotGivenTheSameTwice() {
        var scene = Scene(start)
        _ = scene.next()
        _ = scene.answer(.document([1], tag: "\"a\""))
        scene.pull.judged(isBusy: false, at: scene.now)
        _ = scene.next()
        #expect(scene.answer(.document([1], tag: "\"a\"")) == nil)
        #expect(scene.next().map { $0.after } == 25, "as a server that does not wait")
    }

    @Test func aServerThatDoesNotWaitIsAskedSeldom() {
        var scene = Scene(start)
        var asked = 0
        while scene.now < start + .seconds(600) {
            if case .ask? = scene.next()?.action { asked += 1 }
            #expect(scene.answer(.nothing(tag: nil), after: .milliseconds(3)) == nil)
        }
        #expect((23...26).contains(asked))
        // One that waits is asked again at once.
        _ = scene.next()
        _ = scene.answer(.nothing(tag: "\"b\""), after: Self.wait)
        #expect(scene.next()?.after == 0)
    }

    @Test func failuresAreAskedAboutMoreAndMoreSeldom() {
        var scene = Scene(start)
        var pauses: [Double] = []
        for _ in 0..<12 {
            pauses.append(scene.next()?.after ?? -1)
            _ = scene.answer(.failure("no"))
            #expect(scene.pull.problem == "no")
        }
        for (pause, usual) in zip(pauses.dropFirst(), [2.0, 4, 8, 16, 32, 64, 128, 256, 300, 300, 300]) {
            #expect(pause >= usual * 0.75 && pause <= usual * 1.25, "\(pauses)")
        }
        _ = scene.next()
        _ = scene.answer(.nothing(tag: nil), after: Self.wait)
        #expect(scene.pull.problem == nil)
        _ = scene.next()
        _ = scene.answer(.failure("no"))
        #expect((scene.next()?.after ?? 99) <= 2.5, "from the beginning")
    }

    @Test func aServerSaysWhenItMayBeAskedAgain() {
        for (wanted, least, most) in [(100, 100.0, 100.0), (-5, 1.5, 2.5), (.max, 3_600, 3_600)]
            as [(Int64, Double, Double)]
        {
            var scene = Scene(start)
            _ = scene.next()
            _ = scene.answer(.failure("busy", retryAfter: wanted))
            let pause = scene.next()?.after ?? -1
            #expect(pause >= least && pause <= most, "\(wanted): \(pause)")
        }
    }

    @Test func anOrderWithoutATagIsNone() {
        for tag in [nil, "", String(repeating: "x", count: 257)] as [String?] {
            var scene = Scene(start)
            _ = scene.next()
            #expect(scene.answer(.document([1], tag: tag)) == nil)
            #expect(scene.pull.problem?.contains("ETag") == true)
        }
    }

    /// Whatever a server answers, and whenever: no more than a question a second, and no answer counts that was not asked for.
    @Test func anyAnswersAtAnyTime() {
        for seed in 0..<50 as Range<UInt64> {
            var random = SplitMix64(seed: seed)
            var scene = Scene(start)
            var asked: [Monotonic] = []
            for _ in 0..<400 {
                if scene.pull.nextTick == nil || Bool.random(using: &random) {
                    let tag = ["\"a\"", "\"b\"", "", nil].randomElement(using: &random) ?? nil
                    let answers: [OrderPull.Answer] = [
                        .document([1], tag: tag), .nothing(tag: tag),
                        .failure("x", retryAfter: .random(in: .min ... .max, using: &random)),
                    ]
                    if let answer = answers.randomElement(using: &random) {
                        _ = scene.answer(answer, after: .milliseconds(.random(in: 0...30_000, using: &random)))
                    }
                    if Bool.random(using: &random) { scene.pull.judged(isBusy: .random(using: &random), at: scene.now) }
                } else if case .ask? = scene.next()?.action {
                    asked.append(scene.now)
                }
            }
            #expect(zip(asked, asked.dropFirst()).allSatisfy { $1 - $0 >= .seconds(1) }, "seed \(seed)")
        }
    }
}
