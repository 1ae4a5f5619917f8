// SPDX-License-Identifier: Apache-2.0
import Display
import Foundation
import Media
import Scene
import Testing
import Time

@testable import Presentation

private func area(_ x: Int, _ y: Int, _ width: Int, _ height: Int) -> SceneArea {
    SceneArea(x: x, y: y, width: width, height: height)
}

private let layouts: [StageLayout] =
    StageLayout.builtIn + [
        StageLayout.gallery(count: 5, names: ["main"], stage: PixelSize(width: 640, height: 360), gap: 30),
        StageLayout(
            name: "turned",
            regions: QuarterTurn.allCases.enumerated().map { index, rotation in
                Region(
                    name: "r\(index)", area: area(index * 2_500, index * 500, 2_400, 7_000),
                    fit: PictureFit.allCases[index % 3], rotation: rotation)
            }),
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
    ]

/// The same commands and pictures to a stage in software and to one by OpenGL ES: of 255 the presented pictures are at
/// most 2 apart on average and 10 anywhere.
@Suite struct GLESSceneTests {
    private static let sizes = [
        PixelSize(width: 640, height: 360), PixelSize(width: 320, height: 240), PixelSize(width: 176, height: 145),
        PixelSize(width: 330, height: 200),
    ]

    /// Slopes without steps, as libswscale's quick path and interpolation part ways at an edge of colour.
    private static func frame(_ seed: Int, _ size: PixelSize) -> VideoFrame {
        func wave(_ place: Int, _ period: Int) -> Int { abs(place % (2 * period) - period) * 100 / period }
        return TestFrame.make(size, pts: Int64(seed), pixelAspect: (1, 1), fields: .progressive) { plane, x, y in
            switch plane {
            case 0: UInt8(60 + wave(x + 2 * y + seed * 17, 60) * 3 / 2)
            case 1: UInt8(90 + wave(x + y + seed * 37, 160) * 3 / 4)
            default: UInt8(90 + wave(2 * x + y + seed * 71, 200) * 3 / 4)
            }
        }
    }

    /// One bench of each kind; nil, and it says so, where there is no EGL.
    private struct Benches {
        let software = SceneBench()
        let hardware: SceneBench
        let device: GLESCompositor

        init?() {
            var made: GLESCompositor?
            hardware = SceneBench(makeCompositor: { size, rate in
                GLESSceneCompositor(size: size, rate: rate) { size throws(DisplayError) in
                    let device = try GLESCompositor(size: size)
                    made = device
                    return device
                }
            })
            guard let made else {
                let why = hardware.loop.compositor.errors.first ?? ""
                print("SKIP: \(why)")
                #expect(ProcessInfo.processInfo.environment["TOUCHLINE_REQUIRE_PEERS"] != "1", "\(why)")
                return nil
            }
            device = made
        }

        func both(_ body: (SceneBench) throws -> Void) rethrows {
            try body(software)
            try body(hardware)
        }

        func step(_ what: String, after span: Nanoseconds = .milliseconds(20)) {
            both { $0.step(after: span) }
            let (mean, largest) = GLESSceneTests.difference(software.recorder.last, hardware.recorder.last)
            #expect(mean <= 2 && largest <= 10, "\(what): mean \(mean), largest \(largest)")
        }
    }

    /// By pointers and without iterators, which took half of these tests' time without optimisation.
    private static func difference(_ one: Picture, _ other: Picture) -> (mean: Double, largest: Int) {
        let count = one.pixels.count
        guard count == other.pixels.count else { return (255, 255) }
        var (blue, green, red, largest) = (0, 0, 0, 0)
        one.pixels.withUnsafeBufferPointer { here in
            other.pixels.withUnsafeBufferPointer { there in
                guard let here = here.baseAddress, let there = there.baseAddress else { return }
                var index = 0
                while index < count {
                    let (first, second) = (Int(here[index]), Int(there[index]))
                    index += 1
                    if first == second { continue }
                    var apart = (first & 0xff) - (second & 0xff)
                    if apart < 0 { apart = -apart }
                    blue += apart
                    if apart > largest { largest = apart }
                    apart = (first >> 8 & 0xff) - (second >> 8 & 0xff)
                    if apart < 0 { apart = -apart }
                    green += apart
                    if apart > largest { largest = apart }
                    apart = (first >> 16 & 0xff) - (second >> 16 & 0xff)
                    if apart < 0 { apart = -apart }
                    red += apart
                    if apart > largest { largest = apart }
                }
            }
        }
        return (Double(max(blue, green, red)) / Double(count), largest)
    }

    @Test(arguments: layouts) func agreesWithSoftware(layout: StageLayout) throws {
        guard let benches = Benches() else { return }
        benches.both { $0.post(.setLayout(layout, .cut)) }
        benches.step("\(layout.name), empty")
        var queues: [(name: String, queues: [FrameQueue], size: PixelSize)] = []
        for (index, region) in layout.regions.enumerated() {
            var each: [FrameQueue] = []
            benches.both { bench in
                let queue = bench.queue(index)
                bench.post(.bind(queue, region: region.name))
                each.append(queue)
            }
            queues.append((region.name, each, Self.sizes[index % Self.sizes.count]))
        }
        func show(_ seed: Int) {
            for (index, (_, queues, size)) in queues.enumerated() {
                for queue in queues {
                    queue.put(TimedFrame(frame: Self.frame(seed + index, size), time: benches.software.now))
                }
            }
            benches.step("\(layout.name) shows \(seed)")
        }
        show(1)
        show(11)
        let overlay = OverlayPicture(.pattern(PixelSize(width: 201, height: 99), seed: 3), x: 333, y: 290)
        benches.both { $0.post(.setOverlay(overlay, .banner)) }
        benches.step("\(layout.name), an overlay")
        let strip = TickerStrip(
            .pattern(PixelSize(width: 77, height: 40), seed: 9),
            area: PixelRectangle(x: 100, y: 300, size: PixelSize(width: 301, height: 30)), pixelsPerSecond: 1_000,
            band: 0x8010_2030)
        benches.both { $0.post(.setTicker(strip)) }
        for _ in 0..<2 { benches.step("\(layout.name), the ticker runs") }
        show(21)
        if let last = layout.regions.last {
            benches.both { $0.post(.showSlate(Slate(title: "No signal", lines: ["since 20:15"]), region: last.name)) }
            benches.step("\(layout.name), a slate")
        }
        let moved = OverlayPicture(.pattern(PixelSize(width: 300, height: 50), seed: 5), x: -20, y: -10)
        benches.both { $0.post(.setTicker(nil), .setOverlay(nil, .banner), .setOverlay(moved, .emergency)) }
        benches.step("\(layout.name), the overlay is elsewhere")
        show(31)
        #expect(benches.hardware.counters.value.drawErrors == 0)
        #expect(benches.hardware.screenshot() == benches.hardware.recorder.last)
    }

    /// Through a fade that another one interrupts.
    @Test func fadesAgreeWithSoftware() throws {
        guard let benches = Benches() else { return }
        for (index, name) in ["main", "second", "inset"].enumerated() {
            benches.both { bench in
                let queue = bench.queue(index)
                bench.post(.bind(queue, region: name))
                queue.put(TimedFrame(frame: Self.frame(index * 5, Self.sizes[index]), time: bench.now))
            }
        }
        benches.step("before")
        benches.both { $0.post(.setLayout(.quad, .crossFade(.milliseconds(400)))) }
        for step in 0..<10 { benches.step("fade to the quad, \(step)") }
        benches.both { $0.post(.setLayout(.pictureInPicture, .crossFade(.milliseconds(200)))) }
        for step in 0..<14 { benches.step("fade to the inset, \(step)") }
        #expect(!benches.hardware.loop.compositor.isMoving && !benches.software.loop.compositor.isMoving)
    }

    /// A reset of the GPU under play: the same frame is drawn in software, and that is said once.
    @Test func aLostContextIsDrawnOnInSoftware() throws {
        guard let benches = Benches() else { return }
        let overlay = OverlayPicture(.pattern(PixelSize(width: 201, height: 99), seed: 3), x: 333, y: 200)
        var queues: [FrameQueue] = []
        benches.both { bench in
            bench.post(.setLayout(.quad, .cut), .setOverlay(overlay, .banner))
            let queue = bench.queue(1)
            bench.post(.bind(queue, region: "second"))
            queues.append(queue)
        }
        for seed in 1...6 {
            if seed == 3 { benches.device.loseContext() }
            for queue in queues {
                queue.put(TimedFrame(frame: Self.frame(seed, Self.sizes[1]), time: benches.software.now))
            }
            benches.step("picture \(seed)")
            if seed >= 3 { #expect(benches.software.recorder.last == benches.hardware.recorder.last) }
        }
        #expect(benches.hardware.counters.value.drawErrors == 1)
        let reports = benches.hardware.reports.filter { if case .drawFailed = $0 { true } else { false } }
        #expect(reports.count == 1)
    }

    /// A box without libEGL.
    @Test func withoutOpenGLESTheStageIsDrawnInSoftware() {
        let (plain, without) = (
            SceneBench(),
            SceneBench(makeCompositor: { size, rate in
                GLESSceneCompositor(size: size, rate: rate) { _ throws(DisplayError) in
                    throw .missing("libEGL.so.1")
                }
            })
        )
        for bench in [plain, without] {
            bench.post(.setLayout(.pictureInPicture, .crossFade(.milliseconds(100))))
            let queue = bench.play(1, in: "main", seed: 1, Self.sizes[0])
            for seed in 2...8 as ClosedRange<Int64> {
                bench.step(after: .milliseconds(20))
                queue.put(TimedFrame(frame: TestFrame.make(seed, Self.sizes[0]), time: bench.now))
            }
        }
        #expect(plain.recorder.last == without.recorder.last)
        #expect(without.counters.value.drawErrors == 1)
        guard
            case .drawFailed(let why) = without.reports.first(where: {
                if case .drawFailed = $0 { true } else { false }
            })
        else {
            Issue.record("nothing was said")
            return
        }
        #expect(why.contains("libEGL.so.1 is missing"))
    }
}
