// SPDX-License-Identifier: Apache-2.0
import Media
import Scene
import TestSupport
import Testing
import Time

@testable import Presentation

private let sizes = [
    PixelSize(width: 640, height: 360), PixelSize(width: 320, height: 240), PixelSize(width: 176, height: 145),
    PixelSize(width: 330, height: 200),
]

/// Layouts of every kind.
private let layouts: [StageLayout] = {
    func area(_ x: Int, _ y: Int, _ width: Int, _ height: Int) -> SceneArea {
        SceneArea(x: x, y: y, width: width, height: height)
    }
    let turned = QuarterTurn.allCases.enumerated().map { index, rotation in
        Region(
            name: "r\(index)", area: area(index * 2_500, index * 500, 2_400, 7_000),
            fit: PictureFit.allCases[index % 3], rotation: rotation)
    }
    return StageLayout.builtIn + [
        StageLayout.gallery(count: 5, names: ["main"], stage: PixelSize(width: 640, height: 360), gap: 30),
        StageLayout(name: "turned", regions: turned),
        StageLayout(
            name: "overlapping",
            regions: [
                Region(name: "top", area: area(3_000, 2_000, 5_003, 5_001), order: 2, opacity: 40),
                Region(name: "main", crop: area(1_000, 1_000, 6_000, 8_000)),
                Region(name: "middle", area: area(1_111, 1_777, 4_444, 5_555), fit: .fill, order: 1),
                Region(name: "invisible", order: 9, opacity: 0),
            ]),
        StageLayout(name: "veiled", regions: [Region(name: "main", fit: .stretch, opacity: 70)]),
        StageLayout(name: "nothing", regions: []),
        // PLAY-39: an advertisement over the banner, an emergency over everything but its own message.
        StageLayout(
            name: "layers",
            regions: [
                Region(name: "main"), Region(name: "bar", area: area(6_000, 0, 4_000, 10_000), layer: .advertisement),
                Region(name: "strip", area: area(0, 7_000, 10_000, 3_000), opacity: 60, layer: .emergency),
                Region(name: "controls", area: area(500, 6_500, 4_000, 2_000), layer: .controls),
            ]),
        StageLayout(
            name: "covered", regions: [Region(name: "main"), Region(name: "alarm", fit: .fill, layer: .emergency)]),
    ]
}()

@Suite struct GoldenSceneTests {
    /// Two pictures in each region by turns, overlays and a ticker come and go: after every present the stage is what the
    /// reference composes anew. So each of the two canvases is right, whatever it held.
    @Test(arguments: layouts) func equalsTheReference(layout: StageLayout) throws {
        // In a debug build the reference takes its time.
        let isLarge = StageLayout.builtIn.contains(layout) && !Effort.isEmulated
        let bench = SceneBench(isLarge ? PixelSize(width: 640, height: 360) : PixelSize(width: 324, height: 182))
        let (width, height) = (bench.size.width, bench.size.height)
        var scene = ReferenceScene(size: bench.size)
        scene.layout = layout
        bench.post(.setLayout(layout, .cut))
        bench.step()
        var queues: [(name: String, queue: FrameQueue, size: PixelSize)] = []
        for (index, region) in layout.regions.enumerated() {
            let queue = bench.queue(index)
            bench.post(.bind(queue, region: region.name))
            queues.append((region.name, queue, sizes[index % sizes.count]))
        }
        func check(_ what: String) throws {
            scene.ticker = bench.loop.compositor.ticker.map { ($0.strip, $0.x) }
            let difference = try bench.recorder.last.difference(from: scene.render())
            #expect(difference == nil, "\(layout.name), \(what)")
        }
        func show(_ seed: Int64) throws {
            for (index, (name, queue, size)) in queues.enumerated() {
                let isOfTheLastTwo = index >= queues.count - 2
                queue.put(TimedFrame(frame: TestFrame.make(seed + Int64(index), size), time: bench.now))
                bench.step(after: .milliseconds(20))
                scene.pictures[name] = (seed + Int64(index), size)
                if isOfTheLastTwo { try check("\(name) shows \(seed)") }
            }
        }
        try show(1)
        try show(11)
        let overlay = OverlayPicture(.pattern(PixelSize(width: 201, height: 99), seed: 3), x: width / 2, y: height - 70)
        for plane in [OverlayPlane.banner, .emergency] {
            bench.post(.setOverlay(overlay, plane))
            scene.overlays[plane] = overlay
            bench.step(after: .milliseconds(20))
            try check("\(plane) is shown")
        }
        try show(21)
        let strip = TickerStrip(
            .pattern(PixelSize(width: 77, height: 40), seed: 9),
            area: PixelRectangle(x: 100, y: height - 60, size: PixelSize(width: width / 2 - 19, height: 30)),
            pixelsPerSecond: 1_000,
            band: 0x8010_2030)
        bench.post(.setTicker(strip))
        for _ in 0..<3 {
            bench.step(after: .milliseconds(20))
            try check("the ticker runs")
        }
        try show(31)
        let moved = OverlayPicture(.pattern(PixelSize(width: 300, height: 50), seed: 5), x: -20, y: -10)
        bench.post(.setTicker(nil), .setOverlay(moved, .banner), .setOverlay(nil, .emergency))
        scene.overlays = [.banner: moved]
        for _ in 0..<2 {
            bench.step(after: .milliseconds(20))
            try check("the overlay is elsewhere")
        }
        try show(41)
        #expect(bench.counters.value.drawErrors == 0)
        #expect(bench.screenshot() == bench.recorder.last)
    }

    /// Nothing beside the canvas, nothing drawn twice: as cheap as without regions, text over it or not.
    @Test func aSingleRegionIsConvertedStraightIntoTheCanvas() {
        let bench = SceneBench()
        let overlay = OverlayPicture(.pattern(PixelSize(width: 200, height: 40), seed: 1), x: 10, y: 300)
        bench.post(.setOverlay(overlay, .banner))
        let queue = bench.play(1, in: "main", seed: 1, bench.size)
        for seed in 2...10 as ClosedRange<Int64> {
            bench.step(after: .milliseconds(20))
            queue.put(TimedFrame(frame: TestFrame.make(seed, bench.size), time: bench.now))
        }
        #expect(bench.loop.compositor.tiles.count == 1)
        #expect(bench.loop.compositor.tiles.allSatisfy { $0.surface == nil })
        #expect(bench.counters.value.picturesPresented == 9)
        // What is set while the picture stands still needs the pixels below it.
        for shown in [nil, overlay, nil] {
            bench.post(.setOverlay(shown, .banner))
            bench.step(after: .milliseconds(20))
        }
        #expect(bench.loop.compositor.tiles.allSatisfy { $0.surface != nil })
    }
}
