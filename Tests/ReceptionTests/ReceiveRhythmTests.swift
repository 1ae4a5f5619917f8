// SPDX-License-Identifier: Apache-2.0
import Testing
import Time

@testable import Reception

extension ReceiveRhythm {
    /// A read that took no time, after a rest.
    fileprivate mutating func looked(_ count: Int, of limit: Int) -> Nanoseconds {
        looked(count, of: limit, at: Monotonic(nanoseconds: 1_000_000_000))
    }
}

@Suite struct ReceiveRhythmTests {
    @Test func waitsAtTheSocketWhenNothingComes() {
        var rhythm = ReceiveRhythm(longest: .milliseconds(20))
        #expect(rhythm.isIdle)
        #expect(rhythm.looked(3, of: 64) > .zero)
        #expect(!rhythm.isIdle)
        #expect(rhythm.looked(0, of: 64) == .zero)
        #expect(rhythm.isIdle)
    }

    @Test func restsLongerWhileLittleComesAndNeverTooLong() {
        var rhythm = ReceiveRhythm(longest: .milliseconds(20))
        #expect(rhythm.looked(2, of: 64) < .milliseconds(2))
        for _ in 0..<1_000 { _ = rhythm.looked(2, of: 64) }
        #expect(rhythm.rest == .milliseconds(20))
    }

    @Test func doesNotRestWhileThereIsMore() {
        var rhythm = ReceiveRhythm(longest: .milliseconds(20))
        for _ in 0..<1_000 { _ = rhythm.looked(2, of: 64) }
        #expect(rhythm.looked(64, of: 64) == .zero)
        for _ in 0..<10 { _ = rhythm.looked(60, of: 64) }
        #expect(rhythm.rest == ReceiveRhythm.shortest)
    }

    /// One of a second of pictures is large.
    @Test func aLargePictureAloneSaysNothingOfTheRate() {
        var rhythm = ReceiveRhythm(longest: .milliseconds(40))
        for look in 0..<1_000 { _ = rhythm.looked(look % 25 == 0 ? 60 : 14, of: 64) }
        #expect(rhythm.rest == .milliseconds(40))
    }

    /// 100 Mbit/s are found in pieces that a small socket buffer holds.
    @Test func restsAsTheRateAllows() {
        var rhythm = ReceiveRhythm(longest: .milliseconds(20))
        var most = 0
        for round in 0..<1_000 {
            let waiting = Int((rhythm.rest.count * 9_500 + 500_000_000) / 1_000_000_000)
            if round > 200 { most = max(most, waiting) }
            _ = rhythm.looked(min(waiting, 64), of: 64)
        }
        #expect(most <= 60)
    }

    /// A flood that no thread can read: a fifth of the time belongs to others, and no turn comes near the 5 s after which
    /// the kernel ends a process whose real-time thread does not block.
    @Test func restsInAFloodToo() {
        var rhythm = ReceiveRhythm(longest: .milliseconds(20))
        var now = Monotonic(nanoseconds: 1_000_000_000)
        var (rested, turn, longest) = (Nanoseconds.zero, Nanoseconds.zero, Nanoseconds.zero)
        let start = now
        while now - start < .seconds(60) {
            now += .microseconds(150)
            turn = turn + .microseconds(150)
            let rest = rhythm.looked(64, of: 64, at: now)
            guard rest > .zero else { continue }
            longest = max(longest, turn)
            (now, rested, turn) = (now + rest, rested + rest, .zero)
        }
        #expect(longest <= .milliseconds(9))
        #expect(rested >= .seconds(11) && rested <= .seconds(13))
    }

    @Test func aSmallDelayHasAShortRest() {
        var rhythm = ReceiveRhythm(longest: .zero)
        for _ in 0..<100 { #expect(rhythm.looked(1, of: 64) == ReceiveRhythm.shortest) }
    }
}
