// SPDX-License-Identifier: Apache-2.0
import Testing
import Time

@testable import ChannelList

/// G-25: number entry tunes with time-out.
@Suite struct NumberEntryTests {
    private let numbers = [1, 7, 12, 123, 900]

    private func at(_ ms: Int64) -> Monotonic { Monotonic(nanoseconds: 1_000_000_000 + ms * 1_000_000) }

    private func type(_ digits: [Int], _ entry: inout NumberEntry, from ms: Int64 = 0) -> NumberEntry.Step {
        var step = NumberEntry.Step.idle
        for (index, digit) in digits.enumerated() {
            step = entry.typed(
                digit, among: numbers, patience: .milliseconds(1_500), now: at(ms + Int64(index) * 100))
        }
        return step
    }

    @Test func aNumberThatNoneGoesOnFromIsTunedAtOnce() {
        var entry = NumberEntry()
        #expect(type([7], &entry) == .tune(7) && entry.digits.isEmpty)
        #expect(type([1, 2, 3], &entry) == .tune(123))
        #expect(type([5], &entry) == .tune(5), "no number begins with 5")
        #expect(type([0, 0, 0, 7], &entry) == .tune(7))
        #expect(type([0, 0, 0, 0], &entry) == .tune(0))
    }

    @Test func anotherDigitIsWaitedFor() {
        var entry = NumberEntry()
        #expect(type([1], &entry) == .wait(until: at(1_500)))
        #expect(entry.step(at: at(1_499)) == .wait(until: at(1_500)) && entry.number == 1)
        #expect(type([2], &entry, from: 1_400) == .wait(until: at(2_900)))
        #expect(entry.step(at: at(2_900)) == .tune(12))
        #expect(entry.step(at: at(9_000)) == .idle)
    }

    /// A timer that comes late, or never, does not put two numbers together.
    @Test func afterItsTimeANumberBeginsAnew() {
        var entry = NumberEntry()
        _ = type([1], &entry)
        #expect(type([9], &entry, from: 5_000) == .wait(until: at(6_500)) && entry.digits == "9")
    }

    @Test func okTakesWhatIsThere() {
        var entry = NumberEntry()
        #expect(entry.ended() == .idle)
        _ = type([1], &entry)
        #expect(entry.ended() == .tune(1) && entry.digits.isEmpty)
    }
}
