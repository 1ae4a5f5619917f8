// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing
import Time

@testable import Presentation

struct ContentRateTests {
    /// Pictures with time stamps in so many ticks a second, cut off as streams have them.
    private static func rate(_ content: FrameRate, ticks: Int64, pictures: Int64 = 250, without: Int64? = nil)
        -> FrameRate?
    {
        var rate = ContentRate()
        for index in 0..<pictures where index != without {
            let tick = index * content.seconds * ticks / content.pictures
            rate.note(Monotonic(nanoseconds: tick * 1_000_000_000 / ticks))
        }
        return rate.rate
    }

    @Test(arguments: [
        FrameRate.ntscFilm, FrameRate(24), FrameRate(25), .ntscFrames, FrameRate(30), FrameRate(50), .ntscFields,
        FrameRate(60),
    ])
    func usualOnes(content: FrameRate) {
        #expect(Self.rate(content, ticks: 90_000) == content)
        // One that is missing begins anew.
        #expect(Self.rate(content, ticks: 90_000, without: 60) == content)
        #expect(Self.rate(content, ticks: 90_000, pictures: 120, without: 60) == nil)
    }

    @Test func unusualOnes() {
        #expect(Self.rate(FrameRate(17), ticks: 90_000) == nil)
        #expect(Self.rate(FrameRate(25), ticks: 1_000) == FrameRate(25))
    }

    @Test func anotherStream() {
        var rate = ContentRate()
        func play(_ content: Int64, from start: Int64) {
            for index in 0...Int64(200) {
                rate.note(Monotonic(nanoseconds: start + index * 1_000_000_000 / content))
            }
        }
        play(25, from: 0)
        rate.reset()
        #expect(rate.rate == FrameRate(25))
        play(50, from: 7)
        #expect(rate.rate == FrameRate(50))
    }

    /// A screen's mode is not changed for a stream that has not settled.
    @Test func theOutputIsTold() {
        let bench = PacingBench(SimulatedDisplay(frames: 50))
        bench.play(80, of: (25, 1))
        #expect(bench.output.followed == [])
        bench.play(250, of: (25, 1))
        bench.play(50, of: (24, 1))
        bench.play(250, of: (60_000, 1_001))
        bench.play(250, of: (60_000, 1_001))
        #expect(bench.output.followed == [FrameRate(25), .ntscFields])
    }
}
