// SPDX-License-Identifier: Apache-2.0
import Foundation
import Media
import Scene
import System
import TestSupport
import Testing
import Time

@testable import Display

/// A video on a plane of `vkms` under the stage's: what the screen is sent is what libswscale makes of the picture,
/// with what the stage has above it.
@Suite(.serialized, .enabled(if: Guest.isHere && GuestScreen.hasVideoPlanes)) struct GuestPlaneTests {
    private static let size = PixelSize(width: 640, height: 480)
    private static let whole = PixelRectangle(x: 0, y: 0, size: size)
    /// Of the screen: `vkms` takes a second for what fills it, in an emulated machine.
    private static let part = PixelRectangle(x: 160, y: 120, size: PixelSize(width: 320, height: 240))

    /// And those of any other matrix or range are found to be wrong.
    @Test func colours() throws {
        let screen = try GuestScreen(Self.size)
        let (noise, stage, part) = (Noise(Self.part.size, seed: 1), GuestScreen.stage(Self.size), Self.part)
        let wanted = try GuestScreen.colours.map { try noise.converted($0.matrix, isFullRange: $0.isFullRange) }
        for (index, colour) in GuestScreen.colours.enumerated() {
            let area = noise.withFrame(.nv12, colour.matrix, isFullRange: colour.isFullRange) {
                screen.present($0, at: part, under: stage.canvas)
            }
            #expect(area == part && screen.driver.status.planeRefusal == nil)
            let seen = try screen.capture()
            let difference = try GuestScreen.difference(seen, wanted[index], under: stage, in: part)
            #expect(difference <= GuestScreen.tolerance, "\(colour)")
            let wrong = try wanted.indices.filter { $0 != index }.map {
                try GuestScreen.difference(seen, wanted[$0], under: stage, in: part, rowStep: 37)
            }
            print("\(colour): off by \(difference), by \(wrong) from the others")
            #expect(wrong.allSatisfy { $0 > 3 * GuestScreen.tolerance }, "\(colour): \(wrong)")
        }
        let counters = screen.driver.status.counters
        #expect(counters.planePictures == 6 && counters.planeCopies == 6 && counters.planeRefusals == 0)
        #expect(counters.commitsRefused == 0 && counters.flipsLost == 0)
    }

    @Test func aWholeScreen() throws {
        let screen = try GuestScreen(Self.size)
        let (noise, stage) = (Noise(Self.size, seed: 2), GuestScreen.stage(Self.size))
        let area = noise.withFrame(.yuv420p, .bt709, isFullRange: false) { screen.present($0, under: stage.canvas) }
        #expect(area == Self.whole)
        let wanted = try noise.converted(.bt709, isFullRange: false)
        let difference = try GuestScreen.difference(try screen.capture(), wanted, under: stage, in: Self.whole)
        #expect(difference <= GuestScreen.tolerance, "\(difference)")
    }

    /// From the decoder's memory: the same to the last bit as a copy, nothing copied, and each buffer given back after
    /// the flip that replaced it.
    @Test(arguments: [VideoFrame.PixelFormat.nv12, .nv21, .yuv420p]) func sharedMemory(format: VideoFrame.PixelFormat)
        throws
    {
        let before = try GuestScreen.framebuffers()
        do {
            let screen = try GuestScreen(Self.size)
            let (noise, stage, part) = (Noise(Self.part.size, seed: 3), GuestScreen.stage(Self.size), Self.part)
            var buffers = try (0..<3).map { _ in try SharedMemoryFile(Self.part.size, format) }
            for buffer in buffers { buffer.write(noise) }
            let own = try GuestScreen.framebuffers()
            for number in 0..<12 {
                do {
                    let frame = try buffers[number % 3].frame(part.size)
                    let area = screen.present(frame, at: part, under: stage.canvas)
                    #expect(area == part)
                }
                // The frame is gone, and what it lies in is seen.
                #expect(buffers[number % 3].givenBack.count == number / 3)
                guard number > 0 else { continue }
                let last = buffers[(number - 1) % 3].givenBack
                let flip = try #require(screen.driver.lastVBlank)
                #expect(last.count == (number - 1) / 3 + 1 && last.last.map { $0 >= flip } ?? false)
            }
            let counters = screen.driver.status.counters
            #expect(counters.planePictures == 12 && counters.planeCopies == 0 && counters.planeRefusals == 0)
            try GuestScreen.expectFramebuffers(own + 3)
            let shown = try GuestScreen.sum()

            noise.withFrame(format, .bt709, isFullRange: false) {
                _ = screen.present($0, at: part, under: stage.canvas)
            }
            #expect(screen.driver.status.counters.planeCopies == 1)
            #expect(try GuestScreen.sum() == shown, "a copy is another picture")
            if format == .nv12 {
                // One sample of 115 200 is another; a wrong matrix; nothing.
                buffers[0].memory[part.size.width * 200 + 300] ^= 0x40
                screen.present(try buffers[0].frame(part.size), at: part, under: stage.canvas)
                let changed = try GuestScreen.sum()
                screen.present(try buffers[1].frame(part.size, .bt601), at: part, under: stage.canvas)
                let wrong = try GuestScreen.sum()
                buffers[2].memory.initializeMemory(as: UInt8.self, repeating: 128)
                screen.present(try buffers[2].frame(part.size), at: part, under: stage.canvas)
                #expect(Set([shown, changed, wrong, try GuestScreen.sum()]).count == 4)
            }

            // The buffers end, and with the next picture what the card knows of them.
            let all = try GuestScreen.framebuffers()
            buffers = []
            screen.present(stage.canvas)
            try GuestScreen.expectFramebuffers(all - 3)
        }
        try GuestScreen.expectFramebuffers(before)
    }

    /// Pairs with red first, and ten bits: each sample where it is, from the memory that it lies in.
    @Test(arguments: [VideoFrame.PixelFormat.nv21, .p010]) func otherFormats(format: VideoFrame.PixelFormat) throws {
        let screen = try GuestScreen(Self.size)
        let (noise, stage, part) = (Noise(Self.part.size, seed: 7), GuestScreen.stage(Self.size), Self.part)
        let wanted = try GuestScreen.colours.map { try noise.converted($0.matrix, isFullRange: $0.isFullRange) }
        let buffers = try (0..<2).map { _ in try SharedMemoryFile(part.size, format) }
        for (index, buffer) in zip([1, 3], buffers) {
            buffer.write(noise)
            let colour = GuestScreen.colours[index]
            let frame = try buffer.frame(part.size, colour.matrix, isFullRange: colour.isFullRange)
            let area = screen.present(frame, at: part, under: stage.canvas)
            #expect(area == part && screen.driver.status.planeRefusal == nil)
            let seen = try screen.capture()
            let differences = try wanted.map { try GuestScreen.difference(seen, $0, under: stage, in: part) }
            print("\(format), \(colour): off by \(differences)")
            for (other, difference) in differences.enumerated() {
                #expect((difference <= GuestScreen.tolerance) == (other == index), "\(GuestScreen.colours[other])")
            }
        }
        let counters = screen.driver.status.counters
        #expect(counters.planePictures == 2 && counters.planeCopies == 0 && counters.planeRefusals == 0)
        let (shown, buffer) = (try GuestScreen.sum(), buffers[1])
        if format == .nv21 {
            // Told of as the other order, the same memory is another picture.
            var told = buffer.picture
            (told.fourCC, told.identity) = (DRMFormat.nv12, SharedPicture.Identity())
            screen.present(
                try buffer.frame(part.size, .bt601, isFullRange: true, told: told), at: part, under: stage.canvas)
        } else {
            // A sample of luma that has one of its lowest two bits.
            buffer.memory[part.size.width * 2 * 200 + 600] ^= 0x80
            screen.present(try buffer.frame(part.size, .bt601, isFullRange: true), at: part, under: stage.canvas)
        }
        let other = try GuestScreen.sum()
        #expect(other != shown && screen.driver.status.counters.planeCopies == 0)
    }

    /// A part of what is coded, odd, at an odd place: cut to what chroma allows, and in its place to the pixel.
    @Test func aPartOfWhatIsCoded() throws {
        let screen = try GuestScreen(Self.size)
        let stage = Surface(Self.size.width, Self.size.height)
        let buffer = try SharedMemoryFile(PixelSize(width: 336, height: 256), .nv12, left: 6, top: 4)
        let noise = Noise(PixelSize(width: 320, height: 242), seed: 4)
        buffer.write(noise)
        let visible = PixelSize(width: 319, height: 241)
        let place = PixelRectangle(x: 101, y: 77, size: visible)
        let covered = screen.present(try buffer.frame(visible), at: place, under: stage.canvas)
        let area = try #require(covered)
        #expect(area == PixelRectangle(x: 102, y: 78, size: PixelSize(width: 318, height: 240)))
        let seen = try screen.capture()
        let difference = try GuestScreen.difference(
            seen, try noise.converted(.bt709, isFullRange: false), under: stage, in: area)
        #expect(difference <= GuestScreen.tolerance, "\(difference)")
        // Beside it there is nothing of the rest of the buffer.
        for (x, y) in [(101, 200), (420, 200), (200, 77), (200, 318), (0, 0), (639, 479)] {
            #expect(seen.canvas.pixel(x, y) == (0, 0, 0), "\(x), \(y)")
        }
        #expect(screen.driver.status.counters.planeCopies == 0)
    }

    /// `vkms` does not scale: the picture is composed in the same present, and nothing is black in between.
    @Test func aScaledPicture() throws {
        let screen = try GuestScreen(Self.size)
        let small = Noise(PixelSize(width: 320, height: 240), seed: 5)
        let composed = Surface(Self.size.width, Self.size.height)
        composed.canvas.fill(blue: 10, green: 200, red: 90)
        let area = small.withFrame(.nv12, .bt709, isFullRange: false) {
            screen.present($0, at: Self.whole, under: composed.canvas)
        }
        let status = screen.driver.status
        #expect(area == nil && status.planeRefusal == "commit failed: Numerical result out of range")
        #expect(status.counters.planeRefusals == 1 && status.counters.commitsRefused == 0)
        let seen = try screen.capture()
        let nothing = Surface(Self.size.width, Self.size.height)
        let refused = try GuestScreen.difference(seen, composed, under: nothing, in: Self.whole)
        #expect(refused == 0)
        // One that is not scaled is shown again by itself.
        let noise = Noise(Self.size, seed: 6)
        let again = noise.withFrame(.nv12, .bt709, isFullRange: false) {
            screen.present($0, under: nothing.canvas)
        }
        #expect(again == Self.whole)
        let difference = try GuestScreen.difference(
            try screen.capture(), try noise.converted(.bt709, isFullRange: false), under: nothing, in: Self.whole)
        #expect(difference <= GuestScreen.tolerance, "\(difference)")
    }
}
