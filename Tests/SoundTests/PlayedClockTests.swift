// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing
import Time

@testable import Sound

@Suite struct PlayedClockTests {
    /// A device that is asked at times of its own, each after 10 ms of sound, give or take.
    private struct Device {
        var clock = PlayedClock(sampleRate: 48_000)
        var random: SplitMix64
        var now = Monotonic(nanoseconds: 5_000_000_000)
        let granularity: Int64
        let partsPerMillion: Int64
        /// Of real time, frames.
        private var played: Double = 0
        private(set) var written: Int64 = 1_920

        init(seed: UInt64 = 1, granularity: Int64 = 1, partsPerMillion: Int64 = 0) {
            random = SplitMix64(seed: seed)
            self.granularity = granularity
            self.partsPerMillion = partsPerMillion
            clock.wrote(frames: 1_920)
            _ = clock.nextAudible(delay: 1_920, at: now)
        }

        var rate: Double { 48_000 * (1 + Double(partsPerMillion) / 1_000_000) }
        var truth: Monotonic { now + Nanoseconds(Int64((Double(written) - played) / rate * 1e9)) }

        mutating func step(standsStill: Bool = false, isWrong: Bool = false) -> Monotonic {
            written += 480
            // As soon as there is room for more, a millisecond more or less.
            let wanted = Double(written - 2_400 + Int64.random(in: -48...48, using: &random))
            let span = Nanoseconds(Int64(max(0, wanted - played) / rate * 1e9))
            if standsStill {
                now += .milliseconds(10)
                written -= 480  // which there is no room for
                return clock.nextAudible(delay: Int(written - Int64(played)), at: now)
            }
            now += span
            clock.wrote(frames: 480)
            played += Double(span.count) / 1e9 * rate
            let shown = Int64(played) / granularity * granularity
            return clock.nextAudible(delay: isWrong ? 0 : Int(written - shown), at: now)
        }
    }

    @Test(arguments: Effort.seeds(30)) func coarseReadingsMakeAnEvenClock(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        var device = Device(
            seed: seed, granularity: [1, 240, 480, 1_024, 2_048].randomElement(using: &random) ?? 1,
            partsPerMillion: Int64.random(in: -200...200, using: &random))
        var last = device.step()
        for _ in 0..<3_000 {
            let next = device.step()
            #expect(next >= last)
            #expect((next - last - .milliseconds(10)).magnitude <= .microseconds(25))
            #expect((next - device.truth).magnitude < .milliseconds(3))
            last = next
        }
    }

    @Test func aSingleReadingMovesItByAMillisecondAtMost() {
        var device = Device()
        for _ in 0..<300 { _ = device.step() }
        var worst = Nanoseconds.zero
        _ = device.step(isWrong: true)
        for _ in 0..<600 { worst = max(worst, (device.step() - device.truth).magnitude) }
        #expect(worst < .microseconds(1_200))
        #expect((device.step() - device.truth).magnitude < .microseconds(100))
    }

    @Test func whatStoodStillIsJumpedTo() {
        var device = Device()
        for _ in 0..<300 { _ = device.step() }
        for _ in 0..<30 { _ = device.step(standsStill: true) }
        for _ in 0..<201 { _ = device.step() }
        #expect((device.step() - device.truth).magnitude < .milliseconds(1))
    }

    @Test func withoutReadingsItGoesOnFromNow() {
        var clock = PlayedClock(sampleRate: 48_000)
        let now = Monotonic(nanoseconds: 1_000)
        #expect(clock.nextAudible(delay: nil, at: now) == now)
        clock.wrote(frames: 480)
        #expect(clock.nextAudible(delay: 480, at: now) == now + .milliseconds(10))
        clock.wrote(frames: 480)
        #expect(clock.nextAudible(delay: nil, at: now) == now + .milliseconds(20))
        #expect(clock.nextAudible(delay: nil, at: now + .seconds(1)) == now + .seconds(1))
    }
}
