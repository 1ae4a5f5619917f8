// SPDX-License-Identifier: Apache-2.0
import Foundation
import Media
import Scene
import TestSupport
import Testing

@testable import Display

/// What lasts from frame to frame, what ends, and what fails.
@Suite(.serialized) struct GLESLifeTests {
    private static let all = PixelRectangle(0, 0, 64, 48)

    @Test func aPictureIsUploadedOncePerVersion() throws {
        let (dark, bright) = (
            TestPicture.plain(width: 16, height: 16, luma: 0.2), TestPicture.plain(width: 16, height: 16, luma: 0.8)
        )
        let canvas = CanvasBuffer(width: 64, height: 48)
        try Surfaceless.withCompositor(64, 48) { compositor in
            var shades: [Int] = []
            for (picture, version) in [(dark, 1), (bright, 1), (bright, 2), (dark, 2)] {
                try compositor.begin()
                picture.withFrame {
                    compositor.draw($0, at: Placement(picture, at: Self.all), slot: 7, version: version)
                }
                try compositor.readBack(into: canvas)
                shades.append(canvas.pixel(30, 30).green)
            }
            #expect(shades == [51, 51, 204, 204])
            compositor.forget(slot: 7)
            try compositor.begin()
            dark.withFrame { compositor.draw($0, at: Placement(dark, at: Self.all), slot: 7, version: 2) }
            try compositor.readBack(into: canvas)
            #expect(canvas.pixel(30, 30).green == 51)
        }
    }

    /// Rows that no unpack setting describes: of an odd number of octets, and the lowest first.
    @Test(arguments: VideoFrame.PixelFormat.allCases) func everyStrideIsRead(format: VideoFrame.PixelFormat) throws {
        let (even, odd) = (
            TestPicture.scene(format, width: 40, height: 30),
            TestPicture.scene(format, width: 40, height: 30, oddity: 3)
        )
        let (one, other, turned) = (
            Surface(64, 48), Surface(64, 48), Surface(64, 48)
        )
        try Surfaceless.withCompositor(64, 48) { compositor in
            func draw(_ picture: TestPicture, on surface: Surface, fromBelow: Bool, _ rotation: QuarterTurn) throws {
                try compositor.begin()
                picture.withFrame(fromBelow: fromBelow) {
                    compositor.draw($0, at: Placement(picture, at: Self.all, rotation: rotation), slot: 0, version: 0)
                }
                try compositor.readBack(into: surface.canvas)
                compositor.forget(slot: 0)
            }
            try draw(even, on: one, fromBelow: false, .upright)
            try draw(odd, on: other, fromBelow: false, .upright)
            #expect(one.canvas.difference(from: other.canvas).largest == 0)
            try draw(even, on: turned, fromBelow: true, .upright)
            var wrong = 0
            for y in 0..<48 {
                for x in 0..<64 where abs(turned.canvas.pixel(x, y).green - one.canvas.pixel(x, 47 - y).green) > 1 {
                    wrong += 1
                }
            }
            #expect(wrong == 0)
        }
    }

    @Test func whatIsTooLargeIsRefusedAndTheRestIsDrawn() throws {
        let canvas = CanvasBuffer(width: 64, height: 48)
        try Surfaceless.withCompositor(64, 48) { compositor in
            let wide = TestPicture.plain(.gray, width: compositor.limit + 2, height: 2, luma: 1)
            try compositor.begin()
            compositor.fill(Self.all, premultiplied: 0xff0a_0a0a)
            wide.withFrame { compositor.draw($0, at: Placement(wide, at: Self.all), slot: 0, version: 0) }
            let size = PixelSize(width: compositor.limit + 2, height: 2)
            #expect(
                thrown(DisplayError.self) { try compositor.readBack(into: canvas) }
                    == .tooLarge(size, limit: compositor.limit))
            #expect(canvas.pixel(5, 5) == (10, 10, 10))
            try compositor.begin()
            try compositor.readBack(into: canvas)
            #expect(canvas.pixel(5, 5) == (0, 0, 0))
            let limit = PixelSize(width: compositor.limit + 1, height: 8)
            #expect(
                thrown(DisplayError.self) { try GLESCompositor(size: limit) }
                    == .tooLarge(limit, limit: compositor.limit))
        }
    }

    @Test func aLostContextIsAnError() throws {
        let canvas = CanvasBuffer(width: 64, height: 48)
        let picture = TestPicture.plain(width: 16, height: 16, luma: 1)
        try Surfaceless.withCompositor(64, 48) { compositor in
            try compositor.begin()
            compositor.loseContext()
            picture.withFrame { compositor.draw($0, at: Placement(picture, at: Self.all), slot: 0, version: 0) }
            compositor.keep()
            compositor.drawKept(opacity: 9)
            #expect(thrown(DisplayError.self) { try compositor.readBack(into: canvas) } != nil)
            #expect(thrown(DisplayError.self) { try compositor.begin() } == .egl("eglMakeCurrent", code: 0x300e))
            picture.withFrame { compositor.draw($0, at: Placement(picture, at: Self.all), slot: 0, version: 0) }
            #expect(thrown(DisplayError.self) { try compositor.readBack(into: canvas) } != nil)
        }
    }

    /// What a card shows has red first: the same picture is read from it, with what was kept of the one before.
    @Test func bothOrdersAreTheSamePicture() throws {
        let picture = TestPicture.scene(width: 40, height: 30)
        let text = CanvasBuffer(width: 20, height: 10)
        for x in 0..<20 { for y in 0..<10 { text.set(x, y, 10, 60, 120, alpha: 128) } }
        let (one, other) = (Surface(64, 48), Surface(64, 48))
        func draw(_ compositor: GLESCompositor, on surface: Surface) throws {
            try compositor.begin()
            compositor.fill(Self.all, premultiplied: 0xff20_4080)
            compositor.keep()
            try compositor.begin()
            picture.withFrame { compositor.draw($0, at: Placement(picture, at: Self.all), slot: 0, version: 0) }
            compositor.drawKept(opacity: 100)
            compositor.draw(text, x: 3, y: 4, slot: 1, isChanged: true)
            compositor.fill(PixelRectangle(40, 30, 10, 10), premultiplied: 0x8040_2010)
            try compositor.finish(into: surface.canvas)
        }
        try Surfaceless.withCompositor(64, 48) { try draw($0, on: one) }
        try Surfaceless.withCompositor(64, 48) { compositor in
            let context = try GLESContext(on: compositor.context.display, isRedFirst: true)
            try draw(GLESCompositor(size: compositor.size, in: context), on: other)
        }
        #expect(one.canvas.difference(from: other.canvas).largest == 0)
        #expect(one.canvas.pixel(1, 1) != (0, 0, 0))
    }

    /// Where nothing can be imported that is told by name.
    @Test func sharedMemoryIsRefusedByName() throws {
        let memory = SharedPicture(
            width: 64, height: 48, fourCC: KMSPlane.xrgb8888, modifier: 0,
            planes: [SharedPicture.Plane(descriptor: -1, offset: 0, pitch: 256)])
        try Surfaceless.withCompositor(64, 48) { compositor in
            let display = compositor.context.display
            let why = thrown(DisplayError.self) { _ = try GLESImage(memory, on: display) }
            // What a renderer in software calls it depends on its version.
            if case .egl(let call, _) = why {
                #expect(call == "eglCreateImage XR24 64x48 0x0")
            } else {
                #expect(why == .missing("EGL_EXT_image_dma_buf_import"))
            }
        }
    }

    /// Two on one thread: what one gives up is its own.
    @Test func compositorsDoNotTouchEachOther() throws {
        let canvas = CanvasBuffer(width: 64, height: 48)
        let picture = TestPicture.plain(width: 16, height: 16, luma: 0.8)
        try Surfaceless.withCompositor(64, 48) { lasting in
            try lasting.begin()
            picture.withFrame { lasting.draw($0, at: Placement(picture, at: Self.all), slot: 0, version: 0) }
            try lasting.readBack(into: canvas)
            for _ in 0..<3 {
                let passing = try GLESCompositor(size: PixelSize(width: 32, height: 32))
                try passing.begin()
                picture.withFrame { passing.draw($0, at: Placement(picture, at: Self.all), slot: 0, version: 0) }
            }
            try lasting.begin()
            picture.withFrame { lasting.draw($0, at: Placement(picture, at: Self.all), slot: 0, version: 0) }
            try lasting.readBack(into: canvas)
            #expect(canvas.pixel(9, 9) == (204, 204, 204))
        }
    }

    /// A leak of each frame's planes would be 17 MB a round.
    @Test func aThousandFramesLeaveNothingBehind() throws {
        let pictures = [0.0, 0.3].map { TestPicture.scene(width: 320, height: 180, phase: $0) }
        let smaller = TestPicture.scene(.nv12, width: 160, height: 90)
        let canvas = CanvasBuffer(width: 64, height: 48)
        try Surfaceless.withCompositor(64, 48) { compositor in
            func play(_ range: Range<Int>) throws {
                for frame in range {
                    // A stream whose format changes now and then.
                    let picture = frame % 50 == 49 ? smaller : pictures[frame % 2]
                    try compositor.begin()
                    picture.withFrame {
                        compositor.draw($0, at: Placement(picture, at: Self.all), slot: 0, version: frame)
                    }
                    try compositor.readBack(into: canvas)
                }
            }
            try play(0..<100)
            let count = Effort.scaled(200)
            let growth = try leastGrowth { try play(100 + $0 * count..<100 + ($0 + 1) * count) }
            #expect(growth < 5 << 20)
        }
    }

    @Test func compositorsEndWithAllTheyMade() throws {
        let picture = TestPicture.scene(width: 320, height: 180)
        func live() throws {
            try Surfaceless.withCompositor(640, 360) { compositor in
                try compositor.begin()
                for slot in 0..<8 {
                    picture.withFrame {
                        compositor.draw($0, at: Placement(picture, at: Self.all), slot: slot, version: 0)
                    }
                }
                compositor.keep()
            }
        }
        for _ in 0..<3 { try live() }
        let files = try descriptors()
        let growth = try leastGrowth { _ in for _ in 0..<Effort.scaled(4) { try live() } }
        #expect(growth < 6 << 20)
        // One of each would be twenty; other tests, which run at the same time, open some for a while.
        var left = try descriptors()
        for _ in 0..<100 where left > files + 16 {
            usleep(50_000)
            left = try descriptors()
        }
        #expect(left <= files + 16)
    }
}
