// SPDX-License-Identifier: Apache-2.0
import Buffers
import Media
import Scene
import TestSupport
import Testing
import Time

@testable import Presentation

/// The whole render loop on a display with vblanks.
@Suite struct PacingTests {
    /// A stream's rate and a display's, and how many vblanks each picture has.
    struct Case: Sendable, CustomTestStringConvertible {
        let content: (frames: Int64, seconds: Int64)
        let refresh: Int64
        let pattern: String
        let spans: Set<Int64>

        var testDescription: String { "\(content.frames)/\(content.seconds) on \(refresh)" }

        init(_ content: (Int64, Int64), _ refresh: Int64, _ pattern: String, _ spans: Set<Int64>) {
            self.content = content
            self.refresh = refresh
            self.pattern = pattern
            self.spans = spans
        }

        static let all: [Case] = [
            Case((24_000, 1_001), 60, "3:2", [2, 3]), Case((24, 1), 60, "3:2", [2, 3]),
            Case((25, 1), 60, "2:3:2:3:2", [2, 3]), Case((30, 1), 60, "2:2", [2]),
            Case((50, 1), 60, "1:1:2:1:1", [1, 2]), Case((60_000, 1_001), 60, "1:1", [1]),
            Case((60, 1), 60, "1:1", [1]), Case((24, 1), 50, "25/12", [2, 3]), Case((25, 1), 50, "2:2", [2]),
            Case((30, 1), 50, "2:1:2", [1, 2]), Case((50, 1), 50, "1:1", [1]),
            Case((60_000, 1_001), 50, "1:1:1:0:1:1", [1]), Case((60, 1), 50, "1:1:1:0:1:1", [1]),
        ]
    }

    /// Issue 6, "Shows 3": 10 000 pictures, each with the vblanks that the pattern has; what the two clocks differ by is
    /// made up for by single vblanks.
    @Test(arguments: Case.all, [-100, 100] as [Int64]) func pattern(of item: Case, drift: Int64) {
        let bench = PacingBench(SimulatedDisplay(frames: item.refresh, driftPPM: drift))
        let count = Int64(Effort.scaled(10_000))
        bench.play(200, of: item.content)
        let before = bench.counters.value
        var places: [(vblank: Int64, picture: Int64)] = []
        var shown: Int64?
        bench.output.onPresent = { shown = $0 }
        var worst: Int64 = 0
        bench.play(
            count, of: item.content,
            afterStep: {
                guard let vblank = shown else { return }
                shown = nil
                let counters = bench.counters.value
                places.append((vblank, counters.presentedPTS))
                worst = max(worst, abs(counters.pictureErrorUs))
            })
        let total = bench.counters.value
        let pacing = total.pacing
        #expect(pacing.pattern?.description == item.pattern)
        #expect(abs(pacing.refreshMicroHertz - item.refresh * (1_000_000 + drift)) < item.refresh * 5)
        #expect(pacing.vblanksMissed == 0 && !bench.output.isDoubled)
        #expect(total.picturesLate == before.picturesLate && total.picturesDelayed == before.picturesDelayed)
        let spans = zip(places.dropFirst(5), places.dropFirst(6)).map { $1.vblank - $0.vblank }
        let others = Int64(spans.count { !item.spans.contains($0) })
        let shifts = pacing.repeats + pacing.drops - before.pacing.repeats - before.pacing.drops
        #expect(others <= shifts && pacing.judder - before.pacing.judder <= shifts)
        let leftOut = pacing.picturesLeftOut - before.pacing.picturesLeftOut
        #expect(Int64(places.count) + leftOut == count)
        #expect(pacing.repeats == before.pacing.repeats || pacing.drops == before.pacing.drops)
        #expect(worst < 660_000 / item.refresh, "µs from due to visible")
    }

    /// Two hours of 25 pictures a second, and of a display that is slower than it says: what is heard when it is due is
    /// never 20 ms from what is seen.
    @Test func staysWithTheSoundForHours() {
        let bench = PacingBench(SimulatedDisplay(frames: 60_000, seconds: 1_001, driftPPM: -100))
        var worst: Int64 = 0
        var sum: Int64 = 0
        bench.play(
            Int64(Effort.scaled(2 * 3_600 * 25)), of: (25, 1),
            afterStep: {
                let error = bench.counters.value.pictureErrorUs
                worst = max(worst, abs(error))
                sum += error
            })
        #expect(worst < 20_000)
        let counters = bench.counters.value
        #expect(abs(sum / max(1, counters.picturesPresented)) < 4_000, "neither early nor late on average")
        #expect(counters.pacing.vblanksMissed == 0 && counters.picturesDelayed <= 8)
    }

    /// The thread comes too late for some: those are shown a vblank later, or left out whole; the others are where they
    /// belong.
    @Test func latenessHurtsOnlyWhatIsLate() {
        let bench = PacingBench(SimulatedDisplay(frames: 50))
        bench.play(100, of: (25, 1))
        let before = bench.counters.value
        bench.play(2_000, of: (25, 1), late: { $0 % 100 == 50 ? .milliseconds(48) : .microseconds(60) })
        let counters = bench.counters.value
        let judder = counters.pacing.judder - before.pacing.judder
        #expect((20...80).contains(judder))
        #expect(counters.picturesLate - before.picturesLate <= 40)
        #expect(counters.pacing.repeats + counters.pacing.drops <= 1)
        #expect(counters.pictureErrorUs.magnitude <= 13_000)
    }

    /// Both fields of interlaced pictures have a vblank each.
    @Test func fieldsHaveTheirVBlanks() {
        let bench = PacingBench(SimulatedDisplay(frames: 50, driftPPM: 30))
        bench.play(100, of: (25, 1), fieldSpan: .milliseconds(20))
        let before = bench.counters.value
        var places: [Int64] = []
        bench.output.onPresent = { places.append($0) }
        bench.play(1_000, of: (25, 1), fieldSpan: .milliseconds(20))
        #expect(bench.counters.value.fieldsPresented - before.fieldsPresented >= 999)
        let spans = zip(places.dropFirst(3), places.dropFirst(4)).map { $1 - $0 }
        #expect(spans.count { $0 != 1 } <= 1)
    }

    /// What moves by itself moves at each vblank of the display, whatever it is that the display is slower by.
    @Test func motionFollowsTheDisplay() {
        let bench = PacingBench(SimulatedDisplay(frames: 60_000, seconds: 1_001, driftPPM: -100))
        bench.play(50, of: (25, 1))
        let line = CanvasBuffer(width: 1, height: 10)
        let area = PixelRectangle(x: 0, y: 0, size: PixelSize(width: 60, height: 10))
        bench.post(.setTicker(TickerStrip(line, area: area, pixelsPerSecond: 60)))
        var places: [Int64] = []
        bench.output.onPresent = { places.append($0) }
        bench.play(1_500, of: (25, 1))
        let spans = zip(places.dropFirst(), places.dropFirst(2)).map { $1 - $0 }
        #expect(spans.count > 3_500 && spans.allSatisfy { $0 == 1 })
        #expect(bench.counters.value.framesMissed == 0 && bench.counters.value.pacing.vblanksMissed == 0)
        #expect(bench.counters.value.pacing.judder <= 5)
    }

    /// A picture that has just come, a slate and a pause: shown at the next vblank; then in their pattern again.
    @Test func whatIsNotInTimeIsShownAtOnce() {
        let bench = PacingBench(SimulatedDisplay(frames: 50))
        bench.play(100, of: (25, 1))
        let queue = bench.queue(2)
        bench.post(.bind(queue, region: "main"))
        var due = bench.loop.step(at: bench.output.now)
        for round in 0..<100 as Range<Int64> {
            let asked = bench.output.now + .milliseconds(3) * (round % 9)
            bench.output.now = asked
            var visible: Int64?
            bench.output.onPresent = { visible = $0 }
            let frame = TestFrame.grey(90, bench.output.size, pts: round)
            queue.put(TimedFrame(frame: frame, time: asked, isImmediate: true))
            if round % 5 == 4 { bench.post(.showSlate(Slate(title: "\(round)", lines: []), region: "main")) }
            due = bench.loop.step(at: asked)
            while visible == nil, due < asked + .milliseconds(100) {
                bench.output.now = max(due, bench.output.now)
                due = bench.loop.step(at: bench.output.now)
            }
            #expect((bench.output.now - asked) < .milliseconds(41))
        }
        #expect(bench.counters.value.picturesPresented >= 170)
    }

    /// Another mode, a screen that is switched off, and one that is there again: each picture is shown, and soon by its
    /// pattern.
    @Test func followsTheScreen() {
        let bench = PacingBench(SimulatedDisplay(frames: 50))
        bench.play(100, of: (50, 1))
        #expect(bench.counters.value.pacing.pattern?.description == "1:1")
        bench.output.display = SimulatedDisplay(frames: 60, driftPPM: 20, start: 1_000_003_000_000)
        bench.play(60, of: (50, 1))
        #expect(bench.counters.value.pacing.pattern?.description == "1:1:2:1:1")
        #expect(abs(bench.counters.value.pacing.refreshMicroHertz - 60_001_200) < 1_000)
        bench.output.isTold = false
        bench.play(60, of: (25, 1))
        #expect(bench.counters.value.pacing.pattern == nil)
        bench.output.isTold = true
        bench.play(60, of: (25, 1))
        let counters = bench.counters.value
        #expect(counters.pacing.pattern?.description == "2:3:2:3:2")
        #expect(counters.picturesPresented + counters.picturesLate + counters.pacing.picturesLeftOut == 280)
        #expect(counters.picturesLate <= 8 && counters.pacing.judder <= 4)
    }

    /// One that does not wait for its flips is never asked for two at one vblank, and regions share them.
    @Test func oneForEachVBlank() {
        let bench = PacingBench(SimulatedDisplay(frames: 50, driftPPM: -20))
        bench.output.isBlocking = false
        bench.post(.setLayout(.quad, .cut))
        let other = bench.queue(2)
        bench.post(.bind(other, region: "second"))
        bench.play(50, of: (50, 1))
        let before = bench.counters.value
        var places: [Int64] = []
        bench.output.onPresent = { places.append($0) }
        var index: Int64 = 0
        bench.play(
            1_000, of: (50, 1),
            afterStep: {
                guard other.hasRoom(for: 1) else { return }
                let time = bench.output.now + .milliseconds(33) * (index % 3)
                other.put(TimedFrame(frame: TestFrame.grey(80, bench.output.size, pts: index), time: time))
                index += 1
            })
        let counters = bench.counters.value
        #expect(zip(places, places.dropFirst()).allSatisfy { $0 < $1 })
        #expect(counters.pacing.vblanksMissed == before.pacing.vblanksMissed)
        #expect((999...1_015).contains(counters.presentations - before.presentations))
        #expect(counters.picturesPresented - before.picturesPresented > 1_200)
    }

    /// An output that says nothing of vblanks, or whose flips are on none, is presented to as pictures are due.
    @Test func isAsEverWithoutVBlanks() {
        let bench = PacingBench(SimulatedDisplay(frames: 50))
        bench.output.isTold = false
        bench.play(500, of: (25, 1))
        let counters = bench.counters.value
        #expect(counters.picturesPresented == 500 && counters.pacing == PacingCounters())
        #expect((0...20_200).contains(counters.pictureErrorUs))
    }
}
