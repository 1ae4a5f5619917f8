// SPDX-License-Identifier: Apache-2.0
import Media
import Scene
import Testing
import Time
import Timelines

@testable import Presentation

/// A ticker that is on the timeline stands where the time stamps of what is presented have it (CSS-05).
@Suite struct TickerTimelineTests {
    private static let size = PixelSize(width: 128, height: 72)
    private static let (rate, step) = (50, 3)

    private static func strip(isOnTimeline: Bool = true) -> TickerStrip {
        TickerStrip(
            CanvasBuffer(width: 301, height: 10),
            area: PixelRectangle(x: 14, y: 50, size: PixelSize(width: 100, height: 10)),
            pixelsPerSecond: rate * step, isOnTimeline: isOnTimeline)
    }

    private static let period = 301 + 100

    /// A display whose box was started at another time and plays by its own delay.
    private final class Display {
        let bench = SceneBench(TickerTimelineTests.size, rate: TickerTimelineTests.rate)
        private let queue: FrameQueue
        private let turn: Int64

        /// - Parameters:
        ///   - age: when the box was started, before the ticker is set.
        ///   - turn: of the 33 bits in which it counts.
        init(age: Nanoseconds, turn: Int64 = 0) {
            self.turn = turn
            queue = bench.queue(1)
            bench.post(.bind(queue, region: "main"))
            put(900_000)
            bench.step(after: age)
        }

        private func put(_ stamp: Int64) {
            let pts = stamp + turn * StampSpan.stamps
            queue.put(
                TimedFrame(
                    frame: TestFrame.grey(100, TickerTimelineTests.size, pts: pts), time: bench.now,
                    isImmediate: true))
        }

        /// Presents the picture with this time stamp from now on.
        func show(_ stamp: Int64) {
            put(stamp)
            bench.step()
        }

        var travel: Int { bench.loop.compositor.ticker?.travel ?? -1 }

        func pause(_ isPaused: Bool) {
            queue.playbackClock.set(PlaybackClock.State(delay: .zero, pausedAt: isPaused ? bench.now : nil))
        }
    }

    /// Boxes of any age and turn, with tickers set at any time, run it in unison: what one has shown and when its ticker
    /// was set does not count.
    @Test func neighboursRunInUnison() {
        let displays = [Display(age: .zero), Display(age: .milliseconds(7_013)), Display(age: .seconds(3), turn: 2)]
        for (index, display) in displays.enumerated() {
            display.bench.run(for: .milliseconds(17) * Int64(index))
            display.bench.post(.setTicker(Self.strip()))
            display.bench.run(for: .milliseconds(130) * Int64(index))
            display.show(36_000_000)
        }
        var places: Set<Int> = []
        for _ in 0..<100 {
            for display in displays { display.bench.run(for: .milliseconds(20)) }
            let travels = displays.map(\.travel)
            for travel in travels {
                let way = (travel - travels[0] + Self.period) % Self.period
                #expect(min(way, Self.period - way) <= 2 * Self.step, "\(travels)")
            }
            places.insert(travels[0])
        }
        #expect(places.count > 50)
    }

    /// One that runs by itself begins where it is set.
    @Test func othersRunByThemselves() {
        let displays = [Display(age: .zero), Display(age: .zero)]
        for (index, display) in displays.enumerated() {
            display.bench.run(for: .milliseconds(400) * Int64(index))
            display.bench.post(.setTicker(Self.strip(isOnTimeline: false)))
            display.bench.step()
            display.bench.run(for: .seconds(1))
        }
        #expect(displays[0].travel == displays[1].travel && displays[0].travel > 100)
    }

    @Test func standsWhileItIsPaused() {
        let display = Display(age: .zero)
        display.bench.post(.setTicker(Self.strip()))
        display.bench.run(for: .seconds(1))
        display.pause(true)
        display.bench.run(for: .milliseconds(40))
        let stood = display.travel
        display.bench.run(for: .seconds(2))
        #expect(display.travel == stood && stood > 0)
        display.pause(false)
        display.bench.run(for: .milliseconds(400))
        #expect(display.travel != stood)
    }

    /// In a frame it moves by its step; where display and stream do not run alike, once in a while by none or by two.
    @Test(arguments: [-200, -50, 0, 50, 200] as [Int64])
    func stepsAreEvenButForTheDrift(ppm: Int64) {
        let canvas = CanvasBuffer(width: 301, height: 1)
        let area = PixelRectangle(x: 0, y: 0, size: PixelSize(width: 10, height: 1))
        var motion = TickerMotion(
            TickerStrip(canvas, area: area, pixelsPerSecond: 150, isOnTimeline: true), rate: Self.rate)
        let (frames, period) = (50 * 600, 311)
        var (before, others): (Int?, [Int: Int]) = (nil, [:])
        for frame in 0..<Int64(frames) {
            // As a thread sees it that wakes late, by up to 3 ms.
            let late = frame * 7_919 % 3_000 * 1_000
            motion.advance(at: Nanoseconds(frame * 20_000_000 + frame * 20 * ppm + late))
            if let before {
                let way = (motion.travel - before + period) % period
                if way != Self.step { others[way, default: 0] += 1 }
            }
            before = motion.travel
        }
        let drifted = Int(ppm.magnitude) * frames / 1_000_000
        #expect(others.keys.allSatisfy { $0 == (ppm > 0 ? 2 * Self.step : 0) }, "\(others)")
        #expect(abs(others.values.reduce(0, +) - drifted) <= 1, "\(others)")
    }

    /// A jump is followed at once, and time stamps before the first are some too.
    @Test func jumpsAreFollowed() {
        var motion = TickerMotion(Self.strip(), rate: Self.rate)
        motion.advance(at: .seconds(100))
        #expect(motion.travel == 100 * Self.rate * Self.step % Self.period)
        motion.advance(at: .seconds(40))
        #expect(motion.travel == 40 * Self.rate * Self.step % Self.period)
        motion.advance(at: .seconds(-1))
        let turn = TickRate.mpeg.nanoseconds(StampSpan.stamps)
        var other = TickerMotion(Self.strip(), rate: Self.rate)
        other.advance(at: turn - .seconds(1))
        #expect(motion.travel == other.travel && motion.travel > 0)
        motion.advance(at: nil)
        #expect(motion.travel == (other.travel + Self.step) % Self.period, "without a picture it runs on")
        for extreme in [Nanoseconds(.max), Nanoseconds(.min), .zero] {
            motion.advance(at: extreme)
            #expect(motion.travel >= 0)
        }
    }
}
