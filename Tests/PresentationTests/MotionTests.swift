// SPDX-License-Identifier: Apache-2.0
import Media
import Scene
import Testing
import Time

@testable import Presentation

/// What moves by itself: the ticker and the cross-fade.
@Suite struct MotionTests {
    private let size = PixelSize(width: 128, height: 72)

    /// A white line of one pixel's width.
    private func strip(_ direction: TickerStrip.Direction, pixelsPerSecond: Int) -> TickerStrip {
        let line = CanvasBuffer(width: 1, height: 10)
        line.bytes.initializeMemory(as: UInt8.self, repeating: 255)
        return TickerStrip(
            line, area: PixelRectangle(x: 14, y: 50, size: PixelSize(width: 100, height: 10)),
            pixelsPerSecond: pixelsPerSecond, direction: direction, band: 0xff00_0000)
    }

    /// As far from each picture to the next, whatever else is shown, and also when the thread comes late.
    @Test(arguments: [TickerStrip.Direction.leftwards, .rightwards], [50, 60])
    func theTickerMovesEvenly(direction: TickerStrip.Direction, rate: Int) {
        let bench = SceneBench(size, rate: rate)
        let queue = bench.play(1, in: "main", seed: 1, size)
        for index in 1..<64 as Range<Int64> {
            queue.put(TimedFrame(frame: TestFrame.make(index, size), time: bench.now + .milliseconds(33) * index))
        }
        bench.post(.setTicker(strip(direction, pixelsPerSecond: rate * 3 + 1)))
        var places: [Int] = []
        bench.recorder.onPresent = { picture in
            guard let place = (14..<114).first(where: { picture[$0, 55] == 0xff_ffff }) else {
                return places.append(-1)
            }
            places.append(place)
        }
        bench.step()
        bench.run(for: .seconds(1))
        #expect(abs(bench.recorder.count - rate - 1) <= 1)
        #expect(bench.counters.value.framesMissed == 0)
        bench.run(for: .seconds(1), late: .milliseconds(27))
        #expect(bench.counters.value.framesMissed > 10)
        let step = direction == .leftwards ? -3 : 3
        var even = 0
        for (before, after) in zip(places, places.dropFirst()) where before >= 0 && after >= 0 {
            let isAnew = direction == .leftwards ? after > before : after < before
            if isAnew { continue }
            #expect(after - before == step)
            even += 1
        }
        #expect(even > 60)
        #expect(places.contains(-1) || places.count > 33)
    }

    @Test func speedsAreWholePixels() {
        #expect(strip(.leftwards, pixelsPerSecond: 100).pixelsPerFrame(at: 50) == 2)
        #expect(strip(.leftwards, pixelsPerSecond: 124).pixelsPerFrame(at: 50) == 2)
        for speed in [Int.min, -1, 0, 1] {
            #expect(strip(.leftwards, pixelsPerSecond: speed).pixelsPerFrame(at: 50) == 1)
        }
        #expect(strip(.leftwards, pixelsPerSecond: .max).pixelsPerFrame(at: 0) > 1)
    }

    /// Nothing is shown between the frames of the display; pictures that come meanwhile wait for the next.
    @Test func whatMovesSetsTheFrames() {
        let bench = SceneBench(size)
        let queue = bench.play(1, in: "main", seed: 1, size)
        bench.post(.setTicker(strip(.leftwards, pixelsPerSecond: 100)))
        bench.step()
        #expect(bench.recorder.count == 1)
        queue.put(TimedFrame(frame: TestFrame.make(2, size), time: bench.now))
        for _ in 0..<3 { bench.step(after: .milliseconds(5)) }
        #expect(bench.recorder.count == 1)
        bench.step(after: .milliseconds(5))
        #expect(bench.recorder.count == 2 && bench.counters.value.picturesPresented == 2)
        bench.post(.setTicker(nil))
        bench.step(after: .milliseconds(1))
        bench.step(after: .seconds(1))
        #expect(bench.recorder.count == 3, "nothing is drawn when nothing changes")
    }

    /// SVM-70: from the one to the other without a step back; what lies above stays as it is.
    @Test func crossFadesAreMonotone() {
        let bench = SceneBench(size)
        let queues = [bench.queue(1), bench.queue(2)]
        queues[0].put(TimedFrame(frame: TestFrame.grey(235, size), time: bench.now))
        queues[1].put(TimedFrame(frame: TestFrame.grey(60, size), time: bench.now))
        let other = StageLayout(name: "other", regions: [Region(name: "other")])
        let overlay = OverlayPicture(.pattern(PixelSize(width: 40, height: 20), seed: 2), x: 0, y: 0)
        bench.post(.bind(queues[0], region: "main"), .bind(queues[1], region: "other"), .setOverlay(overlay, .volume))
        bench.step()
        let before = bench.recorder.last
        var seen: [UInt32] = []
        bench.recorder.onPresent = { picture in
            seen.append(picture[64, 60] & 0xff)
            #expect(picture[36, 0] >> 24 == 0)
        }
        bench.post(.setLayout(other, .crossFade(.milliseconds(400))))
        bench.step()
        #expect(bench.recorder.last == before, "it begins with what was shown")
        bench.run(for: .milliseconds(600))
        #expect((20...23).contains(seen.count))
        #expect(zip(seen, seen.dropFirst()).allSatisfy { $0 > $1 })
        #expect(seen.first == 255 && seen.last.map { abs(Int($0) - 51) <= 1 } == true)
        #expect(bench.recorder.last != before)
        #expect(!bench.loop.compositor.isMoving)
    }

    /// A fade into a third layout begins with what the first fade has come to.
    @Test func fadesFollowEachOther() {
        let bench = SceneBench(size)
        bench.play(1, in: "main", seed: 1, size)
        bench.step()
        bench.post(.setLayout(.quad, .crossFade(.milliseconds(400))))
        bench.step()
        bench.run(for: .milliseconds(190))
        let half = bench.recorder.last
        bench.post(.setLayout(.pictureInPicture, .crossFade(.milliseconds(100))))
        var first: Picture?
        bench.recorder.onPresent = { if first == nil { first = $0 } }
        bench.run(for: .milliseconds(20))
        #expect(first == half)
        bench.run(for: .milliseconds(300))
        #expect(!bench.loop.compositor.isMoving)
        bench.post(.setLayout(.quad, .crossFade(.milliseconds(400))))
        bench.step()
        bench.post(.setLayout(.fullScreen, .cut))
        bench.step()
        #expect(!bench.loop.compositor.isMoving)
        #expect(bench.screenshot() == bench.recorder.last)
    }
}
