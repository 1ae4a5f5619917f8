// SPDX-License-Identifier: Apache-2.0
import Media
import TestSupport
import Testing
import Time

@testable import Box

/// G-40: the histories of all channels together stay within their memory.
struct HistoryBudgetTests {
    private let now = Monotonic(nanoseconds: 1_000_000_000_000)
    private static let mega = 1_000_000

    private func history(_ megabytes: Int) -> HistoryBuffer {
        HistoryBuffer(span: .seconds(1), capacity: megabytes * Self.mega)
    }

    private func grant(
        _ budget: HistoryBudget, _ wanted: Int, least: Int = 4, kept: [Int] = []
    ) throws(HistoryBudget.Refusal) -> HistoryBudget.Grant {
        try budget.grant(
            wanted * Self.mega, atLeast: least * Self.mega, of: "A", kept: kept.map { $0 * Self.mega }, at: now)
    }

    private func refusal(_ budget: HistoryBudget, _ wanted: Int) -> HistoryBudget.Refusal? {
        do throws(HistoryBudget.Refusal) {
            _ = try grant(budget, wanted)
            return nil
        } catch {
            return error
        }
    }

    @Test func keptOnesGoFirstThenHistoriesAreShorter() throws {
        let budget = HistoryBudget(limit: 40 * Self.mega)
        let all = [10, 10, 10].map { history($0) }
        for one in all { budget.add(one) }
        #expect(try grant(budget, 10) == .init(shed: 0, octets: 10 * Self.mega))
        #expect(try grant(budget, 20, kept: [10, 10]) == .init(shed: 1, octets: 20 * Self.mega))
        #expect(try grant(budget, 30, kept: [10, 10]) == .init(shed: 2, octets: 30 * Self.mega))
        #expect(try grant(budget, 64, kept: [10, 10]) == .init(shed: 2, octets: 30 * Self.mega))
        #expect(try grant(budget, 64) == .init(shed: 0, octets: 10 * Self.mega))
        withExtendedLifetime(all) {}
    }

    @Test func lessThanTheLeastIsRefused() {
        let budget = HistoryBudget(limit: 40 * Self.mega)
        let all = [20, 17].map { history($0) }
        for one in all { budget.add(one) }
        #expect(
            refusal(budget, 64)?.description
                == "histories have 37 MB of playback.historiesLimitMB (40): expected 4 MB to be left for channel 'A'")
        withExtendedLifetime(all) {}
    }

    /// A channel plays on the smallest machine, whatever the settings say, if no other needs its memory.
    @Test func theOnlyChannelIsNeverRefused() throws {
        let budget = HistoryBudget(limit: 8 * Self.mega)
        #expect(try grant(budget, 64, least: 20) == .init(shed: 0, octets: 20 * Self.mega))
        let one = history(20)
        budget.add(one)
        #expect(try grant(budget, 64, least: 20, kept: [20]) == .init(shed: 1, octets: 20 * Self.mega))
        #expect(refusal(budget, 64) != nil, "another has its memory")
        withExtendedLifetime(one) {}
    }

    /// One that was left goes soon; if a thread that hangs holds it for longer, it counts.
    @Test func whatWasLeftCountsOnlyWhileItStays() {
        let budget = HistoryBudget(limit: 40 * Self.mega)
        var kept: HistoryBuffer? = history(10)
        if let kept {
            budget.add(kept)
            #expect(budget.used(at: now) == 10 * Self.mega)
            budget.leave(kept, at: now)
        }
        #expect(budget.used(at: now + .seconds(1)) == 0)
        #expect(budget.used(at: now + .seconds(2)) == 10 * Self.mega)
        withExtendedLifetime(kept) {}
        kept = nil
        #expect(budget.used(at: now + .seconds(2)) == 0)
    }

    @Test func theLimitIsTheSettingsOrAShare() {
        #expect(HistoryBudget(setting: 50, allowance: 900).limit == 50)
        #expect(HistoryBudget(setting: nil, allowance: 900 * Self.mega).limit == 300 * Self.mega)
        #expect(HistoryBudget(setting: nil, allowance: 1).limit == 16 * Self.mega)
        #expect(HistoryBudget(setting: nil, allowance: nil).limit == .max)
    }

    /// Random opening and leaving: what was granted is never more than the limit, and what plays keeps what it has.
    @Test(arguments: Effort.seeds(20)) func neverBeyondTheLimit(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        let budget = HistoryBudget(limit: 64 * Self.mega)
        var (playing, kept): ([HistoryBuffer], [HistoryBuffer]) = ([], [])
        for _ in 0..<200 {
            switch Int.random(in: 0..<4, using: &random) {
            case 0 where !playing.isEmpty: kept.append(playing.removeFirst())
            case 1 where !kept.isEmpty: budget.leave(kept.removeFirst(), at: now)
            case 2 where !playing.isEmpty: budget.leave(playing.removeLast(), at: now)
            default:
                // A refusal changes nothing.
                let granted = try? grant(
                    budget, Int.random(in: 4...30, using: &random), kept: kept.map { $0.capacity / Self.mega })
                guard let granted else { continue }
                for _ in 0..<granted.shed { budget.leave(kept.removeFirst(), at: now) }
                let new = HistoryBuffer(span: .seconds(1), capacity: granted.octets)
                budget.add(new)
                playing.append(new)
            }
            let octets = (playing + kept).reduce(0) { $0 + $1.capacity }
            #expect(budget.used(at: now) == octets && octets <= budget.limit)
        }
    }
}
