// SPDX-License-Identifier: Apache-2.0
import Media
import Scene
import TestSupport
import Testing
import Time

@testable import Presentation

@Suite struct RegionTests {
    private let small = PixelSize(width: 64, height: 36)

    /// Pictures of 50, 25 and 30 a second; each region counts its own, and what is due together is shown together.
    @Test func queuesOfDifferentRates() throws {
        let bench = SceneBench(small)
        var scene = ReferenceScene(size: small)
        scene.layout = .quad
        bench.post(.setLayout(.quad, .cut))
        let sources: [(name: String, span: Nanoseconds, offset: Nanoseconds, queue: FrameQueue)] = [
            ("main", .milliseconds(20), .zero, bench.queue(1)),
            ("second", .milliseconds(40), .milliseconds(3), bench.queue(2)),
            ("third", .seconds(1) / 30, .milliseconds(7), bench.queue(3)),
        ]
        for (name, span, offset, queue) in sources {
            bench.post(.bind(queue, region: name))
            for index in 0..<(Nanoseconds.seconds(1).count / span.count) {
                let seed = 100 * Int64(queue.session) + index
                let time = bench.now + .milliseconds(10) + offset + span * index
                queue.put(TimedFrame(frame: TestFrame.make(seed, small), time: time))
            }
        }
        try bench.run(for: .milliseconds(1_050)) {
            for (name, _, _, _) in sources where bench.counters(of: name).picturesPresented > 0 {
                scene.pictures[name] = (bench.counters(of: name).presentedPTS, small)
            }
            let expected = try scene.render()
            if bench.recorder.count > 0 { #expect(bench.recorder.last.difference(from: expected) == nil) }
        }
        #expect(bench.counters(of: "main").picturesPresented == 50)
        #expect(bench.counters(of: "second").picturesPresented == 25)
        #expect(bench.counters(of: "third").picturesPresented == 30)
        let total = bench.counters.value
        #expect(total.picturesPresented == 105 && total.picturesLate == 0 && total.picturesDelayed == 0)
        #expect(total.presentations < 105 - 20, "those of the second region come with those of the first")
        #expect(total.presentedPTS == 149)
        #expect(bench.counters(of: "second").pictureErrorUs >= -4_000)
        #expect(bench.counters(of: "fourth").session == nil && bench.counters(of: "fourth").isOnStage)
    }

    /// A region of both layouts keeps its queue and its picture; a new one shows its slate, or the background.
    @Test func regionsSurviveLayouts() throws {
        let bench = SceneBench(PixelSize(width: 128, height: 72))
        var scene = ReferenceScene(size: bench.size)
        let queue = bench.play(1, in: "main", seed: 5, small)
        bench.step()
        bench.post(.setLayout(.quad, .cut), .showSlate(Slate(title: "X", lines: []), region: "second"))
        bench.step(after: .milliseconds(1))
        scene.layout = .quad
        scene.pictures["main"] = (5, small)
        let expected = try scene.render()
        let shown = bench.recorder.last
        #expect(bench.recorder.count == 2)
        for y in 0..<72 {
            for x in 0..<128 where x < 64 || y >= 36 { #expect(shown[x, y] == expected[x, y]) }
        }
        #expect((64..<128).contains { x in (0..<36).contains { y in shown[x, y] != 0x10_2038 } }, "the slate's text")
        #expect(bench.counters.value.slatesShown == 1)

        bench.post(.setLayout(.fullScreen, .cut))
        queue.put(TimedFrame(frame: TestFrame.make(6, small), time: bench.now))
        bench.step(after: .milliseconds(1))
        scene.layout = .fullScreen
        scene.pictures["main"] = (6, small)
        #expect(try bench.recorder.last.difference(from: scene.render()) == nil)
        #expect(bench.table.all.map(\.name) == ["main"], "nobody sees or feeds the others")
    }

    /// What is bound to a region that the layout has not yet, or no longer, goes on in its time.
    @Test func regionsWithoutAPlaceGoOn() throws {
        let bench = SceneBench(small)
        let queue = bench.play(7, in: "second", seed: 1, small)
        bench.step()
        #expect(bench.counters(of: "second").picturesPresented == 1 && !bench.counters(of: "second").isOnStage)
        queue.put(TimedFrame(frame: TestFrame.make(2, small), time: bench.now))
        bench.step(after: .milliseconds(40))
        bench.post(.setLayout(.quad, .cut))
        bench.step()
        var scene = ReferenceScene(size: small)
        scene.layout = .quad
        scene.pictures["second"] = (2, small)
        #expect(try bench.recorder.last.difference(from: scene.render()) == nil)
        bench.post(.setLayout(.fullScreen, .cut), .unbind(session: 7))
        bench.step()
        #expect(bench.table.all.map(\.name) == ["main"])
    }

    /// Names twice, and too many of them, in a layout that nobody checked.
    @Test func unsoundLayoutsAreShownAsFarAsTheyGo() {
        let bench = SceneBench(small)
        let regions = [Region(name: "a"), Region(name: "a")] + (0..<100).map { Region(name: "\($0)") }
        bench.post(.setLayout(StageLayout(name: "x", regions: regions), .cut))
        bench.step()
        #expect(bench.table.all.count == 64)
        for session in 0..<200 { bench.post(.bind(bench.queue(session), region: "hidden\(session)")) }
        bench.step()
        #expect(bench.table.all.count == 128)
    }

    /// SVM-78: each region misses its own pictures.
    @Test func starvationIsOfARegion() {
        let bench = SceneBench(small)
        bench.post(.setLayout(.quad, .cut))
        let fed = bench.play(1, in: "main", seed: 1, small)
        bench.play(2, in: "second", seed: 1, small)
        for _ in 0..<60 {
            bench.step(after: .milliseconds(20))
            fed.put(TimedFrame(frame: TestFrame.make(1, small), time: bench.now))
        }
        #expect(bench.counters(of: "second").starvations == 1 && bench.counters(of: "main").starvations == 0)
        let starved = bench.reports.filter { if case .starved(2) = $0 { true } else { false } }
        #expect(starved.count == 1 && bench.counters.value.starvations == 1)
    }

    /// The pictures of a slide show are missed when one and a half of the time between them is over (`media.md` 11).
    @Test(arguments: [1, 5] as [Int64]) func aSlideShowIsNotStarved(seconds: Int64) {
        let bench = SceneBench(small)
        func pass(_ tenths: Int64) { for _ in 0..<tenths { bench.step(after: .milliseconds(100)) } }
        let queue = bench.play(1, in: "main", seed: 1, small)
        // How far apart the pictures are is known with the second one, which a decoder has before it is due.
        queue.put(TimedFrame(frame: TestFrame.make(2, small), time: bench.now + .seconds(seconds)))
        bench.step()
        pass(10 * seconds)
        for seed: Int64 in 3...5 {
            pass(10 * seconds)
            queue.put(TimedFrame(frame: TestFrame.make(seed, small), time: bench.now))
            bench.step()
        }
        let counters = bench.counters(of: "main")
        #expect(counters.picturesPresented == 5 && counters.starvations == 0)
        pass(15 * seconds - 1)
        #expect(bench.counters(of: "main").starvations == 0)
        pass(1)
        #expect(bench.counters(of: "main").starvations == 1)
        let starved = bench.reports.filter { if case .starved(1) = $0 { true } else { false } }
        #expect(starved.count == 1)
    }

    /// G-34: a hundred layouts, cut and faded, while three sessions play: no picture is black, none is lost, and what is
    /// shown is always one layout whole.
    @Test(arguments: Effort.seeds(2)) func aHundredLayouts(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        let size = PixelSize(width: 160, height: 90)
        let bench = SceneBench(size)
        var scene = ReferenceScene(size: size)
        let names = ["main", "second", "inset"]
        let queues = names.indices.map { bench.queue($0) }
        for (name, queue) in zip(names, queues) { bench.post(.bind(queue, region: name)) }
        bench.recorder.onPresent = { #expect(!$0.isBlack) }
        var pictures: Int64 = 0
        for round in 0..<Effort.scaled(100) {
            var layout = StageLayout.builtIn.randomElement(using: &random) ?? .quad
            if round % 4 == 3 {
                layout = .gallery(count: .random(in: 1...9, using: &random), names: names, stage: size)
            }
            for index in layout.regions.indices where Int.random(in: 0...3, using: &random) == 0 {
                layout.regions[index].opacity = .random(in: 30...100, using: &random)
            }
            let isFade = round % 5 == 4
            bench.post(.setLayout(layout, isFade ? .crossFade(.milliseconds(90)) : .cut))
            scene.layout = layout
            for step in 0..<8 {
                for (index, queue) in queues.enumerated() where (step + index) % 2 == 0 {
                    pictures += 1
                    queue.put(TimedFrame(frame: TestFrame.make(pictures, size), time: bench.now))
                }
                bench.step(after: .milliseconds(20))
                for name in names where bench.counters(of: name).picturesPresented > 0 {
                    scene.pictures[name] = (bench.counters(of: name).presentedPTS, size)
                }
                if isFade ? step == 7 : step % 4 == round % 4 {
                    #expect(try bench.recorder.last.difference(from: scene.render()) == nil, "\(layout.name)")
                }
            }
        }
        let counters = bench.counters.value
        #expect(counters.picturesPresented == pictures && counters.picturesLate == 0 && counters.drawErrors == 0)
        #expect(bench.screenshot() == bench.recorder.last)
    }
}
