// SPDX-License-Identifier: Apache-2.0
import Media
import Scene
import Testing
import Time

@testable import Presentation

/// An output that shows a video under its canvas: what people see is what they see of one that shows the canvas alone.
@Suite struct VideoBelowTests {
    private static let stage = PixelSize(width: 640, height: 360)

    /// The same happens on both; what they show is compared after each step.
    private struct Benches {
        let composed = SceneBench()
        let below = SceneBench()

        init() { below.recorder.takesVideo = true }

        func both(_ body: (SceneBench) -> Void) {
            body(composed)
            body(below)
        }

        var difference: Int { below.recorder.last.largestDifference(from: composed.recorder.last) }
    }

    private static func overlay(_ x: Int, _ y: Int, alpha: UInt8) -> OverlayPicture {
        let canvas = CanvasBuffer(width: 100, height: 50)
        for row in 0..<50 {
            for column in 0..<100 {
                let place = row * canvas.stride + column * 4
                for channel in 0..<3 { canvas.bytes[place + channel] = alpha / 2 }
                canvas.bytes[place + 3] = alpha
            }
        }
        return OverlayPicture(canvas, x: x, y: y)
    }

    @Test func aPictureAlone() {
        let benches = Benches()
        benches.both { bench in
            let queue = bench.play(1, in: "main", seed: 1, Self.stage)
            for index in 1..<20 {
                let due = bench.now + .milliseconds(Int64(40 * index))
                queue.put(TimedFrame(frame: TestFrame.make(Int64(index), Self.stage), time: due))
            }
        }
        for _ in 0..<20 {
            benches.both { $0.run(for: .milliseconds(40)) }
            #expect(benches.difference == 0)
        }
        let recorder = benches.below.recorder
        #expect(recorder.videos == 20 && recorder.count == 20)
        #expect(benches.composed.recorder.composed >= 20 && recorder.composed <= 2)
        #expect(benches.below.counters.value.picturesPresented == 20)
    }

    /// Smaller than its region, scaled, with text, an opaque and a veiled region over it, in other layouts and by fades.
    @Test func aScene() {
        let benches = Benches()
        var differences: [Int] = []
        func step(_ what: (SceneBench) -> Void) {
            benches.both {
                what($0)
                $0.run(for: .milliseconds(100)) {}
            }
            differences.append(benches.difference)
        }
        step { $0.play(1, in: "main", seed: 1, PixelSize(width: 320, height: 240)) }
        #expect(benches.below.recorder.videos > 0)
        step { $0.post(.setOverlay(Self.overlay(200, 100, alpha: 128), .banner)) }
        step { $0.post(.setOverlay(Self.overlay(10, 200, alpha: 255), .volume)) }
        for layout in StageLayout.builtIn {
            step { $0.post(.setLayout(layout, .cut)) }
            step { $0.play(2, in: layout.regions.last?.name ?? "", seed: 5, Self.stage) }
            step { $0.post(.setLayout(.fullScreen, .crossFade(.milliseconds(150)))) }
            step { _ in }
        }
        let veiled = StageLayout(
            name: "veiled",
            regions: [
                Region(name: "main", fit: .stretch),
                Region(
                    name: "pip", area: SceneArea(x: 1_000, y: 1_000, width: 5_000, height: 5_000), order: 1,
                    opacity: 50),
            ])
        step { $0.post(.setLayout(veiled, .cut)) }
        step { $0.play(3, in: "pip", seed: 9, PixelSize(width: 160, height: 90)) }
        step { $0.post(.setOverlay(nil, .banner)) }
        step { $0.post(.showSlate(Slate(title: "A", lines: ["b"]), region: "main")) }
        step { $0.play(4, in: "main", seed: 3, Self.stage) }
        // Colours are multiplied by opacity and rounded once more.
        #expect(differences.allSatisfy { $0 <= 2 }, "\(differences)")
    }

    @Test func screenshots() {
        let benches = Benches()
        benches.both {
            $0.play(1, in: "main", seed: 1, PixelSize(width: 320, height: 240))
            $0.post(.setOverlay(Self.overlay(200, 100, alpha: 128), .banner))
            $0.run(for: .milliseconds(100))
        }
        #expect(benches.below.recorder.videos > 0)
        #expect(benches.below.screenshot().largestDifference(from: benches.composed.screenshot()) <= 2)
    }

    /// It is composed, in the same step.
    @Test func refusedAtTheLastMoment() {
        let benches = Benches()
        benches.both { $0.play(1, in: "main", seed: 1, Self.stage) }
        benches.both { $0.run(for: .milliseconds(50)) }
        let videos = benches.below.recorder.videos
        benches.below.recorder.refusals = 1
        benches.both {
            $0.play(2, in: "main", seed: 2, Self.stage)
            $0.step()
        }
        #expect(benches.difference == 0 && benches.below.recorder.videos == videos)
        benches.both {
            $0.play(3, in: "main", seed: 3, Self.stage)
            $0.run(for: .milliseconds(50))
        }
        #expect(benches.difference == 0 && benches.below.recorder.videos > videos)
    }

    /// What stands of the session before is no picture of the one that has none yet.
    @Test func refusalsAreOfTheirSession() {
        let bench = Benches().below
        bench.recorder.takesVideo = false
        bench.recorder.planeRefusal = "too wide"
        bench.play(2, in: "main", seed: 2, Self.stage)
        bench.run(for: .milliseconds(100))
        let queue = bench.queue(3)
        bench.post(.bind(queue, region: "main"))
        bench.post(.setOverlay(Self.overlay(200, 100, alpha: 128), .banner))
        bench.run(for: .milliseconds(100))
        #expect(bench.planeRefusals == ["2 too wide"])
    }

    @Test func refusedAtTheLastMomentIsTold() {
        let bench = Benches().below
        bench.play(1, in: "main", seed: 1, Self.stage)
        bench.run(for: .milliseconds(50))
        bench.recorder.refusals = 1
        bench.recorder.planeRefusal = "too wide"
        bench.play(2, in: "main", seed: 2, Self.stage)
        bench.step()
        bench.recorder.planeRefusal = nil
        bench.run(for: .milliseconds(50))
        #expect(bench.planeRefusals == ["2 too wide"])
    }

    /// It is told once for each session.
    @Test func refusals() {
        let bench = Benches().below
        bench.play(1, in: "main", seed: 1, Self.stage)
        bench.run(for: .milliseconds(50))
        bench.recorder.takesVideo = false
        bench.recorder.planeRefusal = "too wide"
        for session in 2...3 {
            bench.play(session, in: "main", seed: 2, Self.stage)
            bench.run(for: .milliseconds(100))
        }
        let told = bench.planeRefusals
        #expect(told.suffix(2) == ["2 too wide", "3 too wide"] && told.count <= 3)
    }

    /// Pictures of another region of the same size are new ones.
    @Test func theSamePlaceInAnotherLayout() {
        let benches = Benches()
        let other = StageLayout(name: "other", regions: [Region(name: "other")])
        benches.both {
            $0.play(1, in: "main", seed: 1, Self.stage)
            $0.play(2, in: "other", seed: 2, Self.stage)
            $0.run(for: .milliseconds(50))
            $0.post(.setLayout(other, .cut))
            $0.run(for: .milliseconds(50))
        }
        #expect(benches.difference == 0)
        benches.both {
            $0.post(.setLayout(.fullScreen, .cut))
            $0.run(for: .milliseconds(50))
        }
        #expect(benches.difference == 0)
    }

    @Test(arguments: [
        Region(name: "main", rotation: .half), Region(name: "main", opacity: 90),
        Region(name: "main", layer: .advertisement),
    ])
    func whatIsComposedAlways(region: Region) {
        let benches = Benches()
        benches.both {
            $0.post(.setLayout(StageLayout(name: "other", regions: [region]), .cut))
            $0.play(1, in: "main", seed: 1, Self.stage)
            $0.run(for: .milliseconds(50))
        }
        #expect(benches.difference == 0 && benches.below.recorder.videos == 0)
    }
}

extension SceneBench {
    fileprivate var planeRefusals: [String] {
        reports.compactMap { report -> String? in
            guard case .planeRefused(let session, let why) = report else { return nil }
            return "\(session) \(why)"
        }
    }
}
