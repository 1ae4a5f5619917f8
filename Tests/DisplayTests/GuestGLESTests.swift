// SPDX-License-Identifier: Apache-2.0
import Foundation
import Media
import Scene
import System
import TestSupport
import Testing
import Time

@testable import Display

/// Mesa's llvmpipe on a card's own node: what it draws is shown without a copy, and is what is drawn without a card.
@Suite(.serialized, .enabled(if: Guest.isHere)) struct GuestGLESTests {
    private static let size = PixelSize(width: 1_024, height: 768)

    /// One that tells rows, columns and the colours apart.
    private static func draw(on compositor: GLESCompositor, shift: Int = 0) throws {
        let picture = TestPicture(
            .nv12, width: 320, height: 240, luma: { x, _ in x }, blue: { _, y in y }, red: { x, y in x * y })
        try compositor.begin()
        compositor.fill(PixelRectangle(0, 0, 1_024, 768), premultiplied: 0xff20_4080)
        let place = PixelRectangle(100 + shift, 50, 640, 480)
        picture.withFrame { compositor.draw($0, at: Placement(picture, at: place), slot: 0, version: shift) }
        let text = CanvasBuffer(width: 200, height: 40)
        for x in 0..<200 { for y in 0..<40 { text.set(x, y, 10, 60, 120, alpha: 128) } }
        compositor.draw(text, x: 30, y: 700, slot: 1, isChanged: true)
    }

    private static func wanted(shift: Int = 0) throws -> Surface {
        let surface = Surface(size.width, size.height)
        let compositor = try GLESCompositor(size: size)
        try draw(on: compositor, shift: shift)
        try compositor.finish(into: surface.canvas)
        return surface
    }

    @Test func whatIsShownIsWhatIsDrawnWithoutACard() throws {
        let drawn = try Self.onScreen { output in
            let compositor = try #require(try output.compositor?.get())
            print("drawn by \(compositor.context.renderer)")
            #expect(compositor.context.isSoftware)
            for shift in stride(from: 0, through: 40, by: 20) {
                try output.compose { canvas in
                    try Self.draw(on: compositor, shift: shift)
                    try compositor.finish(into: canvas)
                }
                #expect(compositor.hasDrawn, "on the canvas")
                _ = output.present(now: Monotonic(nanoseconds: 0))
                #expect(output.fault == nil)
                var difference: Difference?
                let wanted = try Self.wanted(shift: shift)
                _ = output.readFront { difference = wanted.canvas.difference(from: $0) }
                #expect(difference?.largest == 0)
            }
        }
        let copied = try Self.onScreen(drawing: .processor) { output in
            let wanted = try Self.wanted(shift: 40)
            output.compose { wanted.canvas.copyTo($0) }
            _ = output.present(now: Monotonic(nanoseconds: 0))
        }
        let black = try Self.onScreen(drawing: .processor) { output in
            _ = output.present(now: Monotonic(nanoseconds: 0))
        }
        #expect(drawn == copied && drawn != black, "\(drawn), \(copied), \(black)")
    }

    /// G-38: OpenGL ES shows a mounted stage as the processor does.
    @Test(arguments: [
        ScreenMounting(rotation: .quarter), ScreenMounting(rotation: .threeQuarters, overscanPercent: 5),
    ]) func aMountedStage(mounting: ScreenMounting) throws {
        let stage = Surface(ofStage: mounting, on: Self.size)
        let drawn = try Self.onScreen(mounting) { output in
            let compositor = try #require(try output.compositor?.get())
            try output.compose { canvas in
                try compositor.begin()
                compositor.draw(stage.canvas, isOpaque: true, x: 0, y: 0, slot: 0, isChanged: true)
                try compositor.finish(into: canvas)
            }
            #expect(compositor.hasDrawn)
            _ = output.present(now: Monotonic(nanoseconds: 0))
        }
        let copied = try Self.onScreen(mounting, drawing: .processor) { output in
            output.compose { stage.canvas.copyTo($0) }
            _ = output.present(now: Monotonic(nanoseconds: 0))
        }
        #expect(drawn == copied)
    }

    /// The processor goes on with the same picture's successor when the GPU is lost.
    @Test func aLostContextLeavesNoBlackScreen() throws {
        let wanted = try Self.wanted()
        func finish(_ output: KMSOutput) {
            for _ in 0..<3 {
                output.compose { wanted.canvas.copyTo($0) }
                _ = output.present(now: Monotonic(nanoseconds: 0))
            }
        }
        let after = try Self.onScreen { output in
            let compositor = try #require(try output.compositor?.get())
            try output.compose { canvas in
                try Self.draw(on: compositor, shift: 80)
                try compositor.finish(into: canvas)
            }
            _ = output.present(now: Monotonic(nanoseconds: 0))
            compositor.loseContext()
            finish(output)
        }
        let plain = try Self.onScreen(drawing: .processor, finish)
        #expect(after == plain)
    }

    @Test func aSoftwareRendererIsNotChosen() throws {
        let output = try KMSOutput(size: Self.size, drawing: .automatic) {}
        #expect(output.compositor == nil)
    }

    /// What a hundred outputs leave behind.
    @Test func buffersAreGivenBack() throws {
        func live() throws {
            try Self.drive { output in
                let compositor = try #require(try output.compositor?.get())
                try output.compose { canvas in
                    try Self.draw(on: compositor)
                    try compositor.finish(into: canvas)
                }
                _ = output.present(now: Monotonic(nanoseconds: 0))
            }
        }
        for _ in 0..<2 { try live() }
        let (octets, files) = (try octetsInUse(), try descriptors())
        for _ in 0..<4 { try live() }
        // One frame of each would be 12 MB.
        #expect(try octetsInUse() - octets < 8 << 20)
        let links = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").map {
            (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\($0)")) ?? ""
        }
        #expect(try descriptors() <= files, "\(files): \(links)")
    }

    /// - Returns: the sum of the card over all that its screen shows in the end.
    private static func onScreen(
        _ mounting: ScreenMounting = ScreenMounting(), drawing: ScreenDrawing = .gles,
        _ body: (KMSOutput) throws -> Void
    ) throws -> String {
        let output = try drive(mounting, drawing, body)
        return try withExtendedLifetime(output) { try GuestScreen.sum() }  // its end brings back what was shown before
    }

    @discardableResult private static func drive(
        _ mounting: ScreenMounting = ScreenMounting(), _ drawing: ScreenDrawing = .gles,
        _ body: (KMSOutput) throws -> Void
    ) throws -> KMSOutput {
        let output = try KMSOutput(size: size, mounting: mounting, mode: .size(size, nil), drawing: drawing) {}
        let limit = SystemClock.monotonic() + .seconds(20)
        while output.screen?.connector == nil, SystemClock.monotonic() < limit {
            _ = output.attend(now: SystemClock.monotonic())
            SystemClock.sleep(until: SystemClock.monotonic() + .milliseconds(5))
        }
        try body(output)
        let screen = try #require(output.screen)
        #expect(screen.connector != nil && screen.counters.commitsRefused == 0 && screen.counters.flipsLost == 0)
        return output
    }
}
