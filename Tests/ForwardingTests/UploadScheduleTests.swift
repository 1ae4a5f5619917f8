// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing
import Time

@testable import Forwarding

/// SVM-129: when a box sends what, and what an answer settles.
@Suite struct UploadScheduleTests {
    @Test func theFirstAttemptIsWithinTheInterval() {
        var scene = UploadScene()
        scene.spool(states: 1...1)
        let offset = UploadSchedule.offset(of: "box", within: .seconds(10))
        #expect(offset >= .zero && offset < .seconds(10))
        #expect(scene.next() == .wait(until: scene.start + offset))
        scene.pass(offset)
        #expect(scene.sent()?.batch.sequences == RangeSet(1..<2))
    }

    /// Boxes that get power at the same instant: in each twentieth of the interval about as many as in the others.
    @Test func boxesThatStartTogetherSpread() {
        var counts = [Int](repeating: 0, count: 20)
        for number in 0..<5_000 {
            let id = "6ba7b810-9dad-41d1-80b4-00c04fd4\(1_000 + number)"
            counts[Int(UploadSchedule.offset(of: id, within: .seconds(10)).milliseconds / 500)] += 1
        }
        #expect(counts.allSatisfy { (125...500).contains($0) }, "\(counts)")
        #expect(UploadSchedule.offset(of: "a", within: .zero) == .zero)
        #expect(UploadSchedule.offset(of: "a", within: Nanoseconds(.max)) >= .zero)
    }

    /// The newest state first, then the backlog, the oldest first, at most five batches a second and one at a time.
    @Test func theNewestComesFirstAndTheBacklogAtABoundedPace() {
        var scene = UploadScene()
        scene.spool(states: 1...1_000)
        scene.pass(.seconds(10))
        var sent: [(now: Monotonic, batch: SpoolBatch)] = []
        while let (number, batch) = scene.sent() {
            sent.append((scene.now, batch))
            #expect(scene.next() == .wait(until: scene.now + UploadSchedule.longestRequest), "one at a time")
            scene.pass(.milliseconds(20))
            scene.answer(number, .judged(boot: scene.boot, acknowledged: .all, refused: .none, retryAfter: nil))
            if case .wait(let until?) = scene.next() { scene.pass(until - scene.now) }
        }
        var expected: [RangeSet<UInt64>] = [RangeSet(1_000..<1_001)]
        for first in stride(from: 1, to: 1_000, by: 100) as StrideTo<UInt64> {
            expected.append(RangeSet(first..<min(first + 100, 1_000)))
        }
        #expect(sent.map { $0.batch.sequences } == expected)
        #expect(zip(sent, sent.dropFirst()).allSatisfy { $1.now - $0.now == .milliseconds(200) })
        #expect(scene.pending.isEmpty && scene.next() == .wait(until: nil))
        #expect(scene.schedule.counters.attempts == 11 && scene.schedule.counters.successes == 11)
    }

    /// A reporter under load says how many reports the next batch may have.
    @Test func creditBoundsTheNextBatch() {
        var scene = UploadScene()
        scene.spool(states: 1...300)
        scene.pass(.seconds(10))
        let credits: [(credit: Int, sent: Int)] = [(100, 1), (3, 100), (0, 3), (50, 1), (1_000, 50), (100, 100)]
        for (credit, sent) in credits {
            guard let (number, batch) = scene.sent() else {
                Issue.record("nothing is sent")
                return
            }
            #expect(batch.records.count == sent)
            scene.answer(
                number,
                .judged(boot: scene.boot, acknowledged: .all, refused: .none, retryAfter: nil, credit: credit))
            scene.rest()
        }
    }

    /// Another reporter is asked at once, however long the one before was missing.
    @Test func restartForgetsFailures() {
        var scene = UploadScene()
        scene.spool(states: 1...3)
        scene.pass(.seconds(10))
        for _ in 0..<12 { scene.fail() }
        if let (number, _) = scene.sent() { scene.answer(number, .failed(retryAfter: 1_000)) }
        #expect(scene.sent() == nil)
        scene.restart()
        #expect(scene.exchange() == RangeSet(3..<4) && scene.exchange() == RangeSet(1..<3))
        #expect(scene.schedule.counters.failures == 13 && scene.schedule.counters.successes == 2)
    }

    @Test func aNewerStateGoesBeforeTheBacklog() {
        var scene = UploadScene()
        scene.spool(states: 1...300)
        scene.pass(.seconds(10))
        for expected in [RangeSet(300..<301), RangeSet(1..<101)] as [RangeSet<UInt64>] {
            #expect(scene.exchange() == expected)
        }
        scene.spool(states: 301...301)
        for expected in [RangeSet(301..<302), RangeSet(101..<201)] as [RangeSet<UInt64>] {
            #expect(scene.exchange() == expected)
        }
    }

    // MARK: Failures

    /// Pauses are drawn between zero and a bound that doubles from 1 s to 300 s, and are not less than the pace.
    @Test func pausesAreDrawnWithinABoundThatDoubles() {
        let bounds = [1, 2, 4, 8, 16, 32, 64, 128, 256, 300, 300, 300].map { Nanoseconds.seconds($0) }
        var longest = [Nanoseconds](repeating: .zero, count: bounds.count)
        for seed in 1...200 as ClosedRange<UInt64> {
            var scene = UploadScene(seed: seed)
            scene.spool(states: 1...1)
            scene.pass(.seconds(10))
            for (index, bound) in bounds.enumerated() {
                guard let (number, _) = scene.sent() else {
                    Issue.record("nothing is sent")
                    return
                }
                scene.answer(number, .failed(retryAfter: nil))
                guard case .wait(let until?) = scene.next() else {
                    Issue.record("it does not wait")
                    return
                }
                let pause = until - scene.now
                #expect(pause >= .milliseconds(200) && pause <= bound, "seed \(seed), pause \(index)")
                longest[index] = max(longest[index], pause)
                scene.pass(pause)
            }
            #expect(scene.schedule.counters.failures == 12)
        }
        // They fill the range.
        #expect(zip(longest, bounds).allSatisfy { $0 >= $1 * 9 / 10 }, "\(longest)")
    }

    @Test func aSuccessEndsTheDoubling() {
        var scene = UploadScene()
        scene.spool(states: 1...2)
        scene.pass(.seconds(10))
        for _ in 0..<10 { scene.fail() }
        _ = scene.exchange()
        for seconds in [1, 2, 4] as [Int64] {
            let before = scene.now
            scene.fail()
            #expect(scene.now - before <= .seconds(seconds))
        }
    }

    @Test func whatTheReporterAsksForIsHonouredWithinLimits() {
        for (wanted, least, most) in [(30, 30, 31), (0, 0, 1), (-5, 0, 1), (.max, 3_600, 3_601), (.min, 0, 1)]
            as [(Int64, Int64, Int64)]
        {
            var scene = UploadScene()
            scene.spool(states: 1...2)
            scene.pass(.seconds(10))
            let before = scene.now
            scene.fail(retryAfter: wanted)
            #expect(scene.now - before >= .seconds(least) && scene.now - before <= .seconds(most), "\(wanted)")
            // It may ask so with good news as well.
            guard let (number, _) = scene.sent() else {
                Issue.record("nothing is sent")
                return
            }
            scene.answer(number, .judged(boot: scene.boot, acknowledged: .all, refused: .none, retryAfter: wanted))
            let pause = max(Nanoseconds.milliseconds(200), .seconds(least))
            #expect(scene.next() == .wait(until: scene.now + pause), "\(wanted)")
        }
    }

    /// A link that is too slow for a large batch gets smaller ones, and a single report in the end.
    @Test func batchesShrinkUntilTheyGetThrough() {
        var scene = UploadScene()
        scene.spool(states: 1...60, octets: 8_000)
        scene.pass(.seconds(10))
        _ = scene.exchange()
        var counts: [Int] = []
        for _ in 0..<8 {
            counts.append(scene.sent()?.batch.records.count ?? 0)
            scene.pass(UploadSchedule.longestRequest)
            guard case .abandon = scene.next() else {
                Issue.record("it waits on")
                return
            }
            scene.rest()
        }
        #expect(counts == [32, 16, 8, 4, 2, 1, 1, 1])
        for _ in 0..<3 { counts.append(scene.exchange().map { Int($0.total) } ?? 0) }
        #expect(counts.suffix(3) == [1, 1, 2])
    }

    // MARK: Answers

    @Test func anAnswerSettlesPartOfABatch() {
        var scene = UploadScene()
        scene.spool(states: 1...10)
        scene.pass(.seconds(10))
        _ = scene.exchange()
        guard let (number, batch) = scene.sent() else {
            Issue.record("nothing is sent")
            return
        }
        #expect(batch.sequences == RangeSet(1..<10))
        let settled = scene.answer(
            number,
            .judged(
                boot: scene.boot, acknowledged: .some(RangeSet([2..<4, 9..<40])), refused: .some(RangeSet(3..<5)),
                retryAfter: nil))
        #expect(
            settled == Settlement(scene.boot, acknowledged: RangeSet([2..<4, 9..<10]), refused: RangeSet(4..<5)))
        scene.rest()
        #expect(scene.sent()?.batch.sequences == RangeSet([1..<2, 5..<9]))
    }

    /// Too late, twice, to another request, of another boot, of what was not sent, of nothing at all.
    @Test func otherAnswersChangeNothing() {
        var scene = UploadScene()
        scene.spool(states: 1...3)
        scene.pass(.seconds(10))
        let all = UploadAnswer.judged(boot: scene.boot, acknowledged: .all, refused: .none, retryAfter: nil)
        #expect(scene.answer(1, all) == nil, "before anything was sent")
        let number = scene.sent()?.number ?? 0
        #expect(scene.answer(number + 1, all) == nil)
        scene.pass(UploadSchedule.longestRequest)
        #expect(scene.next() == .abandon(request: number))
        #expect(scene.answer(number, all) == nil, "too late")
        scene.rest()
        let second = scene.sent()?.number ?? 0
        #expect(scene.answer(number, all) == nil, "too late, while the next one is under way")
        #expect(scene.schedule.counters.inFlight == 1)
        #expect(scene.answer(second, all) != nil)
        #expect(scene.answer(second, all) == nil, "twice")
        #expect(scene.schedule.counters.strayAnswers == 5 && scene.schedule.counters.failures == 1)
        for answer in [
            .judged(boot: BootID(ordinal: 9, nonce: 9), acknowledged: .all, refused: .none, retryAfter: nil),
            .judged(boot: scene.boot, acknowledged: .some(RangeSet(50..<60)), refused: .none, retryAfter: nil),
            .judged(boot: scene.boot, acknowledged: .none, refused: .none, retryAfter: nil),
        ] as [UploadAnswer] {
            scene.rest()
            let failures = scene.schedule.counters.failures
            #expect(scene.answer(scene.sent()?.number ?? 0, answer) == nil)
            #expect(scene.schedule.counters.failures == failures + 1)
        }
        #expect(scene.pending == RangeSet(1..<3))
    }

    /// SVM-116…118: at every moment the attempts are the successes, the failures and the one that is under way;
    /// whatever is answered and whenever, no more than five requests a second are made.
    @Test func attemptsAddUpAtEveryMoment() {
        var successes: Int64 = 0
        for seed in Effort.seeds(300) {
            var scene = UploadScene(seed: seed)
            var random = SplitMix64(seed: seed)
            scene.spool(states: 1...5_000)
            var (times, numbers): ([Monotonic], [UInt64]) = ([], [0])
            for _ in 0..<300 {
                switch Int.random(in: 0..<4, using: &random) {
                case 0: scene.pass(.milliseconds(.random(in: 0...2_000, using: &random)))
                case 1: if random.percent(5) { scene.pass(.seconds(.random(in: 0...600, using: &random))) }
                case 2:
                    if let (number, _) = scene.sent() {
                        times.append(scene.now)
                        numbers.append(number)
                    }
                default:
                    let boot = random.percent(80) ? scene.boot : BootID(ordinal: 4, nonce: 4)
                    let first = UInt64.random(in: 1...5_000, using: &random)
                    let range = RangeSet(first..<first + UInt64.random(in: 0...400, using: &random))
                    let retry = random.percent(20) ? Int64.random(in: .min ... .max, using: &random) : nil
                    let answer = random.one(
                        of: [
                            .failed(retryAfter: retry),
                            .judged(boot: boot, acknowledged: .all, refused: .none, retryAfter: retry),
                            .judged(boot: boot, acknowledged: .some(range), refused: .none, retryAfter: retry),
                            .judged(boot: boot, acknowledged: .none, refused: .some(range), retryAfter: retry),
                        ] as [UploadAnswer])
                    scene.answer(random.percent(70) ? numbers[numbers.count - 1] : random.one(of: numbers), answer)
                }
                let counters = scene.schedule.counters
                #expect(
                    counters.attempts == counters.successes + counters.failures + counters.inFlight
                        && counters.attempts == Int64(times.count) && (0...1).contains(counters.inFlight),
                    "seed \(seed)")
            }
            #expect(zip(times, times.dropFirst()).allSatisfy { $1 - $0 >= .milliseconds(200) }, "seed \(seed)")
            successes += scene.schedule.counters.successes
        }
        #expect(successes > Int64(Effort.seeds(300).count))
    }

    /// The names of the reference.
    @Test func countersAreKnownByTheirNames() {
        let known = UploadCounters.statistics.compactMap(\.about.reference)
        #expect(known == ["statsUploadAttempts", "statsUploadFailures", "statsUploadSuccesses"])
    }
}
