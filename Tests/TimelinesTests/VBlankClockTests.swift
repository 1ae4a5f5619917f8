// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing
import Time

@testable import Timelines

@Suite struct VBlankClockTests {
    private func instant(_ nanoseconds: Int64) -> Monotonic { Monotonic(nanoseconds: nanoseconds) }

    private func clock(of display: SimulatedDisplay) -> VBlankClock {
        var clock = VBlankClock()
        clock.setNominal(Nanoseconds(display.nominal))
        return clock
    }

    /// Flips at some vblanks only, told up to `jitter` µs late; a mode's rate is rounded to whole hertz.
    @Test(
        arguments: [-100, 0, 100] as [Int64],
        [(50, 1, 5), (60, 1, 100), (60_000, 1_001, 30)] as [(Int64, Int64, Int64)])
    func followsADisplay(drift: Int64, mode: (frames: Int64, seconds: Int64, jitter: Int64)) {
        let display = SimulatedDisplay(frames: mode.frames, seconds: mode.seconds, driftPPM: drift)
        var clock = VBlankClock()
        clock.setNominal(.seconds(1) / ((mode.frames + mode.seconds / 2) / mode.seconds))
        var random = SplitMix64(seed: UInt64(mode.frames))
        var (vblank, worst) = (Int64(0), Int64(0))
        for flip in 0..<Effort.scaled(20_000) {
            vblank += .random(in: 1...4, using: &random)
            let now = instant(display.time(of: vblank))
            clock.flipped(at: now + .microseconds(.random(in: 0...mode.jitter, using: &random)))
            guard flip > 20 else { continue }
            #expect(clock.isLocked(at: now))
            let next = clock.time(of: clock.vblank(after: now + .milliseconds(5)))
            let error = (next - instant(display.time(of: vblank + 1))).magnitude
            // That all flips are told late, on average, nobody can know.
            #expect(error <= clock.error(at: next) + .microseconds(mode.jitter / 2))
            if flip > 500 { worst = max(worst, error.count) }
        }
        #expect(worst < mode.jitter * 1_000)
        let exact = mode.frames * (1_000_000 + drift) / mode.seconds
        #expect(abs(clock.microHertz - exact) < exact / 20_000)
        #expect(clock.generation <= 2)
        let hour = instant(display.time(of: vblank)) + .seconds(3_600)
        #expect(!clock.isLocked(at: hour), "who has seen nothing for an hour cannot count vblanks")
        clock.flipped(at: instant(display.time(of: display.vblank(after: hour.nanoseconds))))
        #expect(clock.isLocked(at: hour), "how long one lasts it knows")
    }

    @Test func anotherModeBeginsAnew() {
        var clock = clock(of: SimulatedDisplay(frames: 60))
        for vblank in 0..<100 as Range<Int64> {
            clock.flipped(at: instant(SimulatedDisplay(frames: 60).time(of: vblank)))
        }
        let generation = clock.generation
        let other = SimulatedDisplay(frames: 50, start: 1_003_000_000_000)
        clock.setNominal(Nanoseconds(other.nominal))
        #expect(clock.microHertz == 0 && !clock.isLocked(at: instant(other.start)))
        for vblank in 0..<10 as Range<Int64> { clock.flipped(at: instant(other.time(of: vblank))) }
        #expect(clock.isLocked(at: instant(other.time(of: 10))) && clock.generation > generation)
        #expect(abs(clock.microHertz - 50_000_000) < 1_000)
        clock.setNominal(nil)
        clock.flipped(at: instant(other.time(of: 11)))
        #expect(!clock.isLocked(at: instant(other.time(of: 11))))
    }

    /// The same mode set again, elsewhere; and single flips that are told wrongly.
    @Test func survivesJumps() {
        let display = SimulatedDisplay(frames: 60)
        var clock = clock(of: display)
        for vblank in 0..<2_000 as Range<Int64> {
            let isWrong = vblank % 17 == 16
            clock.flipped(at: instant(display.time(of: vblank)) + (isWrong ? .milliseconds(6) : .zero))
        }
        #expect(clock.isLocked(at: instant(display.time(of: 2_000))))
        let next = clock.time(of: clock.vblank(after: instant(display.time(of: 2_000) + 5_000_000)))
        #expect((next.nanoseconds - display.time(of: 2_001)).magnitude < 10_000)
        let moved = SimulatedDisplay(frames: 60, start: display.start + 7_000_000)
        for vblank in 2_001..<2_030 as Range<Int64> { clock.flipped(at: instant(moved.time(of: vblank))) }
        let now = instant(moved.time(of: 2_030) - 5_000_000)
        #expect(clock.isLocked(at: now))
        #expect((clock.time(of: clock.vblank(after: now)).nanoseconds - moved.time(of: 2_030)).magnitude < 50_000)
    }

    /// A driver that has no vblank shows at once: pictures of a stream, when they are due.
    @Test(arguments: [24, 25, 30, 50] as [Int64]) func isNotFooledByTheStream(rate: Int64) {
        var clock = VBlankClock()
        clock.setNominal(.seconds(1) / 60)
        var random = SplitMix64(seed: 3)
        var locked = 0
        for picture in 0..<5_000 as Range<Int64> {
            // Waiting for the vblank that it believes in, the thread shows sooner, and the line is lost.
            let early: Nanoseconds = clock.isLocked(at: instant(picture)) ? .milliseconds(4) : .zero
            let due = Monotonic(nanoseconds: 1_000_000_000 + picture * 1_000_000_000 / rate)
            clock.flipped(at: due - early + .microseconds(.random(in: 0...900, using: &random)))
            if clock.isLocked(at: due) { locked += 1 }
        }
        #expect(rate == 30 || locked == 0)
    }

    /// Whatever the driver says.
    @Test(arguments: Effort.seeds(50)) func isTotal(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        var clock = VBlankClock()
        for _ in 0..<1_000 {
            if Int.random(in: 0...50, using: &random) == 0 {
                let span = Int64.random(in: 0...Int64.max, using: &random) >> Int.random(in: 0...60, using: &random)
                clock.setNominal(Nanoseconds(span))
            }
            let any = Int64.random(in: Int64.min...Int64.max, using: &random) >> Int.random(in: 0...63, using: &random)
            clock.flipped(at: instant(any))
            _ = (clock.isLocked(at: instant(any)), clock.vblank(after: instant(0 &- any)), clock.time(of: any))
            _ = (clock.error(at: instant(.min)), clock.microHertz)
        }
    }
}
