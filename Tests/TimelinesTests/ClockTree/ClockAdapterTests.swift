// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing
import Time

@testable import Timelines

/// A stream's clock and a display's vblank clock as clocks of the tree say what they say by themselves.
@Suite struct ClockAdapterTests {
    private let root = ClockNode()

    private func vblanks(drift: Int64, mode: (frames: Int64, seconds: Int64), jitter: Int64) -> VBlankClock {
        let display = SimulatedDisplay(
            frames: mode.frames, seconds: mode.seconds, driftPPM: drift, start: 57_000_000_123)
        var clock = VBlankClock()
        clock.setNominal(Nanoseconds(display.nominal))
        var random = SplitMix64(seed: UInt64(mode.frames))
        for vblank in 0..<500 as Range<Int64> {
            let late = Int64.random(in: 0...jitter, using: &random)
            clock.flipped(at: Monotonic(nanoseconds: display.time(of: vblank)) + .microseconds(late))
        }
        return clock
    }

    @Test(
        arguments: [-100, 0, 80] as [Int64],
        [(50, 1), (60_000, 1_001), (24_000, 1_001)] as [(frames: Int64, seconds: Int64)])
    func timeStampsAndVBlanks(drift: Int64, mode: (frames: Int64, seconds: Int64)) throws {
        var stream = SimulatedStream(seed: UInt64(mode.frames))
        stream.network = .jitter(.milliseconds(10))
        stream.drift = drift
        stream.run(.seconds(8))
        let correlation = try #require(stream.clock.correlation)
        let display = vblanks(drift: drift, mode: mode, jitter: 20)
        let now = stream.lastArrival
        #expect(display.isLocked(at: now))

        let pts = ClockNode(
            parent: root, rate: ClockRate(.mpeg),
            correlation: correlation.clockCorrelation(near: now, bound: ErrorBound(.milliseconds(2))))
        let count = ClockNode(
            parent: root, rate: try #require(display.clockRate),
            correlation: try #require(display.clockCorrelation))
        let (toRoot, fromRoot) = (try #require(pts.path(to: root)), try #require(root.path(to: pts)))
        let (toVBlank, toStamp) = (try #require(pts.path(to: count)), try #require(count.path(to: pts)))
        let (ofVBlank, ofInstant) = (try #require(count.path(to: root)), try #require(root.path(to: count)))

        var random = SplitMix64(seed: 1)
        let present = try #require(fromRoot.convert(now.nanoseconds))
        for _ in 0..<Effort.scaled(1_000) {
            let ticks = present + .random(in: -2_000_000...2_000_000, using: &random)
            let time = correlation.time(of: ticks)
            // TickRate cuts the fraction off, the tree rounds to the nearest.
            #expect((try #require(toRoot.convert(ticks)) - time.nanoseconds).magnitude <= 1)
            #expect(fromRoot.convert(time.nanoseconds) == ticks)
            #expect(correlation.ticks(of: UInt64(bitPattern: ticks) & 0x1_FFFF_FFFF, near: time) == ticks)

            let vblank = display.vblank(nearest: time)
            let distance = (time - display.time(of: vblank)).magnitude
            // Half-way between two vblanks, parts of a vblank decide, which are 1/65536.
            guard distance < display.span / 2 - .microseconds(1) else { continue }
            #expect(toVBlank.convert(ticks) == vblank)
            let shown = display.time(of: vblank)
            #expect((try #require(ofVBlank.convert(vblank)) - shown.nanoseconds).magnitude <= 25)
            let stamp = TickRate.mpeg.ticks(Nanoseconds((shown - correlation.offset).nanoseconds))
            #expect((try #require(toStamp.convert(vblank)) - stamp).magnitude <= 1)
            let bound = try #require(ofInstant.bound(at: time.nanoseconds))
            #expect(bound >= display.error(at: time) && bound <= display.error(at: time) + .microseconds(10))
            #expect(try #require(toVBlank.bound(at: ticks)) >= bound + .milliseconds(2))
        }
    }

    @Test func aDisplayWithoutVBlankIsNoClock() {
        var display = VBlankClock()
        #expect(display.clockRate == nil && display.clockCorrelation == nil)
        display.setNominal(.milliseconds(20))
        #expect(display.clockRate == ClockRate(unitsPerSecond: 50) && display.clockCorrelation == nil)
        display.flipped(at: Monotonic(nanoseconds: 5_000))
        #expect(display.clockCorrelation?.parentTicks == 5_000)
    }

    /// Whatever the driver and the stream say.
    @Test(arguments: Effort.seeds(50)) func isTotal(seed: UInt64) {
        var random = SplitMix64(seed: seed &+ Effort.seed)
        var display = VBlankClock()
        display.setNominal(.seconds(1) / .random(in: 1...240, using: &random))
        for _ in 0..<300 {
            let any = Int64(bitPattern: random.next()) >> Int64.random(in: 0...63, using: &random)
            display.flipped(at: Monotonic(nanoseconds: any))
            _ = display.clockCorrelation
            let stream = StreamCorrelation(offset: Nanoseconds(Int64(bitPattern: random.next())))
            _ = stream.clockCorrelation(near: Monotonic(nanoseconds: any), bound: .unknown)
        }
    }
}
