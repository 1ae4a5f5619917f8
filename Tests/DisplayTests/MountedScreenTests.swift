// SPDX-License-Identifier: Apache-2.0
import Media
import Scene
import Testing
import Time

@testable import Display

/// The stage on a screen that hangs on its side or upside down, or that cuts off its edges (G-38).
@Suite struct MountedScreenTests {
    private static let screen = PixelSize(width: 40, height: 20)
    static let mountings = QuarterTurn.allCases.flatMap { rotation in
        [0, 10].map { ScreenMounting(rotation: rotation, overscanPercent: $0) }
    }

    /// What lies in a buffer of the card.
    private static func picture(_ buffer: CanvasFramebuffer, of card: FakeCard) throws -> Surface {
        let memory = try #require(card.framebuffers[buffer.framebuffer]).memory
        let (width, height) = (buffer.size.width, buffer.size.height)
        let surface = Surface(width, height)
        let pitch = memory.count / height
        for y in 0..<height {
            for x in 0..<width {
                let place = y * pitch + x * 4
                surface.canvas.set(x, y, Int(memory[place]), Int(memory[place + 1]), Int(memory[place + 2]))
            }
        }
        return surface
    }

    @Test(arguments: mountings) func theProcessorMountsTheStage(mounting: ScreenMounting) throws {
        let card = FakeCard(FakeCard.Clock())
        let buffer = try card.makeCanvasFramebuffer(Self.screen)
        let stage = Surface(ofStage: mounting, on: Self.screen)
        buffer.write(stage.canvas, mounted: mounting)
        let seen = try Self.picture(buffer, of: card)
        let expected = stage.mounted(mounting, on: Self.screen)
        #expect(seen.canvas.difference(from: expected.canvas).largest == 0)
    }

    /// In a mode that is smaller than the screen the stage was made for, its middle is seen.
    @Test func aSmallerModeShowsTheMiddle() throws {
        let mounting = ScreenMounting(rotation: .quarter)
        let card = FakeCard(FakeCard.Clock())
        let buffer = try card.makeCanvasFramebuffer(PixelSize(width: 20, height: 10))
        let stage = Surface(ofStage: mounting, on: Self.screen)
        buffer.write(stage.canvas, mounted: mounting)
        let seen = try Self.picture(buffer, of: card)
        let whole = stage.mounted(mounting, on: Self.screen)
        var wrong = 0
        for y in 0..<10 {
            for x in 0..<20 where seen.canvas.pixel(x, y) != whole.canvas.pixel(x + 10, y + 5) { wrong += 1 }
        }
        #expect(wrong == 0)
    }

    /// OpenGL ES shows what the processor shows, and what is read back is the stage before it was mounted.
    @Test(arguments: mountings) func theGPUMountsTheStage(mounting: ScreenMounting) throws {
        let screen = Self.screen
        let stage = Surface(ofStage: mounting, on: screen)
        let size = mounting.stage(on: screen)
        try Surfaceless.withCompositor(size.width, size.height) { compositor in
            compositor.mounting = mounting
            let context = compositor.context
            try context.makeCurrent()
            let target = try RenderTarget(Texture(.canvas, size: screen, in: context), in: context)
            compositor.target = target
            for isChanged in [true, false] {
                try compositor.begin()
                compositor.draw(stage.canvas, isOpaque: true, x: 0, y: 0, slot: 0, isChanged: isChanged)
                try compositor.finish(into: stage.canvas)
                #expect(compositor.hasDrawn)
            }
            let upright = Surface(size.width, size.height)
            try compositor.read(target, into: upright.canvas)
            #expect(upright.canvas.difference(from: stage.canvas).largest == 0)
            let seen = Surface(screen.width, screen.height)
            let reader = try GLESCompositor(size: screen, in: context)
            try reader.read(target, into: seen.canvas)
            let expected = stage.mounted(mounting, on: screen)
            #expect(seen.canvas.difference(from: expected.canvas).largest == 0)
        }
    }

    /// A video that a plane would show is composed, as planes show nothing that is rotated; screenshots are upright.
    @Test func aRotatedStageHasNoPlanes() {
        let bench = ScreenBench(mounting: ScreenMounting(rotation: .quarter)) { $0.planes = FakeCard.videoPlanes }
        bench.video = (PixelSize(width: 192, height: 108), .bt709)
        bench.run(for: .seconds(1))
        #expect(bench.seen == bench.serial && bench.card.brokenRules == [])
        #expect(!bench.card.isVideoShown() && bench.counters.planePictures == 0)
        #expect(bench.counters.planeRefusals == 0)
        #expect(bench.driver?.status.mode == "192x108@60")
        var size: PixelSize?
        _ = bench.driver?.readFront { size = PixelSize(width: $0.width, height: $0.height) }
        #expect(size == PixelSize(width: 108, height: 192))
    }

    /// A video keeps its plane on a screen that cuts off its edges, where the stage is.
    @Test func aStageAwayFromTheEdgesKeepsItsPlanes() {
        let bench = ScreenBench(mounting: ScreenMounting(overscanPercent: 10)) { $0.planes = FakeCard.videoPlanes }
        bench.video = (PixelSize(width: 154, height: 88), .bt709)
        bench.run(for: .seconds(1))
        #expect(bench.card.isVideoShown() && bench.card.brokenRules == [])
        #expect(bench.driver?.size == PixelSize(width: 154, height: 88))
        #expect(bench.card.values[32]?[.crtcX] == 19 && bench.card.values[32]?[.crtcY] == 10)
        #expect(bench.card.values[32]?[.crtcWidth] == 154 && bench.card.values[32]?[.crtcHeight] == 88)
    }

    @Test func theGPUDrawsARotatedStage() throws {
        let bench = ScreenBench(mounting: ScreenMounting(rotation: .half), painting: { _, _ in })
        bench.run(for: .seconds(1))
        #expect(bench.seen == bench.serial && bench.card.brokenRules == [])
        let painter = try #require(bench.painter)
        #expect(painter.pictures > bench.serial - 5 && painter.reads == 0 && painter.given == nil)
    }

    /// A mode that the screen lacks is passed over with a word about it, and the stage is shown in another one.
    @Test func aModeThatTheScreenLacksIsPassedOver() {
        let bench = ScreenBench(mounting: ScreenMounting(rotation: .half), pin: ModePin("1920x1080@50"))
        bench.run(for: .seconds(1))
        #expect(bench.seen == bench.serial && bench.blacks == 0 && bench.card.brokenRules == [])
        #expect(bench.driver?.status.mode == "192x108@50")
        #expect(bench.driver?.status.pinPassedOver == "1920x1080@50")
    }
}
