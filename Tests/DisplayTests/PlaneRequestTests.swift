// SPDX-License-Identifier: Apache-2.0
import Media
import Scene
import Testing

@testable import Display

struct PlaneRequestTests {
    private static func rectangle(_ x: Int, _ y: Int, _ width: Int, _ height: Int) -> PixelRectangle {
        PixelRectangle(x: x, y: y, size: PixelSize(width: width, height: height))
    }

    private static func request(
        _ size: (Int, Int) = (64, 36), crop: PixelRectangle? = nil, at place: PixelRectangle,
        stage: (Int, Int) = (192, 108), mode: (Int, Int) = (192, 108)
    ) -> PlaneRequest? {
        let picture = TestPicture.numbered(0, PixelSize(width: size.0, height: size.1))
        return PlaneRequest(
            picture, crop: crop ?? rectangle(0, 0, size.0, size.1), at: place,
            of: PixelSize(width: stage.0, height: stage.1), mode: PixelSize(width: mode.0, height: mode.1))
    }

    @Test func evenEdges() {
        let whole = Self.request(at: Self.rectangle(4, 6, 64, 36))
        #expect(whole?.area == Self.rectangle(4, 6, 64, 36) && whole?.crop == Self.rectangle(0, 0, 64, 36))
        // Not scaled, and so it stays.
        let odd = Self.request(at: Self.rectangle(5, 7, 64, 36))
        #expect(odd?.area == Self.rectangle(6, 8, 62, 34) && odd?.crop == Self.rectangle(0, 0, 62, 34))
        let scaled = Self.request(at: Self.rectangle(5, 7, 101, 61))
        #expect(scaled?.area == Self.rectangle(6, 8, 100, 60) && scaled?.crop == Self.rectangle(0, 0, 64, 36))
        let oddPicture = Self.request((63, 35), at: Self.rectangle(0, 0, 63, 35))
        #expect(oddPicture?.size == PixelSize(width: 64, height: 36))
        #expect(oddPicture?.crop == Self.rectangle(0, 0, 62, 34) && oddPicture?.area == Self.rectangle(0, 0, 62, 34))
        #expect(Self.request(crop: Self.rectangle(0, 0, 1, 36), at: Self.rectangle(0, 0, 64, 36)) == nil)
        #expect(Self.request(at: Self.rectangle(1, 1, 2, 2)) == nil)
    }

    @Test func anotherMode() {
        let larger = Self.request(at: Self.rectangle(0, 0, 192, 108), mode: (256, 144))
        #expect(larger?.place == Self.rectangle(32, 18, 192, 108) && larger?.area == Self.rectangle(0, 0, 192, 108))
        // Cut, and so composed; what is in the middle is whole.
        #expect(Self.request(at: Self.rectangle(0, 0, 192, 108), mode: (128, 72)) == nil)
        #expect(
            Self.request(at: Self.rectangle(64, 36, 64, 36), mode: (128, 72))?.place == Self.rectangle(32, 18, 64, 36))
        let moved = larger?.moved(from: PixelSize(width: 192, height: 108), to: PixelSize(width: 192, height: 108))
        #expect(moved?.place == Self.rectangle(0, 0, 192, 108))
        #expect(
            larger?.moved(from: PixelSize(width: 192, height: 108), to: PixelSize(width: 64, height: 48)) == nil)
    }

    /// Every sample where the format has it, from planes of other pitches.
    @Test(arguments: [VideoFrame.PixelFormat.nv12, .yuv420p], [VideoFrame.PixelFormat.yuv420p, .nv12, .nv21])
    func samples(format: VideoFrame.PixelFormat, source: VideoFrame.PixelFormat) throws {
        let (width, height, pitch) = (10, 6, 128)
        let card = FakeCard()
        let target = try card.makeVideoFramebuffer(format, PixelSize(width: width, height: height))
        defer { withExtendedLifetime(target) {} }
        let memory = try #require(card.framebuffers[target.framebuffer]).memory
        let picture = TestPicture(
            source, width: width, height: height, luma: { $0 * 0.5 + $1 * 0.25 }, blue: { x, _ in x }, red: { $1 * $0 })
        picture.withFrame { target.write($0) }
        let same = TestPicture(
            .yuv420p, width: width, height: height, luma: { $0 * 0.5 + $1 * 0.25 }, blue: { x, _ in x },
            red: { $1 * $0 })
        let layout = format.layout(pitch: pitch, height: height)
        let (step, second) = format == .nv12 ? (2, (plane: 1, shift: 1)) : (1, (plane: 2, shift: 0))

        let planes = same.samples
        func octet(_ plane: VideoFrame.Plane, _ x: Int, _ y: Int) -> UInt8 {
            (plane.base + y * plane.stride + x).load(as: UInt8.self)
        }
        var wrong = 0
        for y in 0..<height {
            for x in 0..<width where memory[y * pitch + x] != octet(planes.0, x, y) { wrong += 1 }
        }
        for y in 0..<height / 2 {
            for x in 0..<width / 2 {
                let blue = memory[layout[1].offset + y * layout[1].pitch + x * step]
                let red = memory[
                    layout[second.plane].offset + y * layout[second.plane].pitch + x * step + second.shift]
                if blue != octet(planes.1, x, y) || red != octet(planes.2, x, y) { wrong += 1 }
            }
        }
        #expect(wrong == 0)
    }

    /// Outside the hole a canvas is opaque, whatever it says; inside it is as it is.
    @Test(arguments: [(8, 8), (12, 6), (4, 10)]) func holes(width: Int, height: Int) throws {
        let canvas = CanvasBuffer(width: 8, height: 8)
        canvas.fill(blue: 1, green: 2, red: 3)
        let card = FakeCard()
        let buffer = try card.makeCanvasFramebuffer(PixelSize(width: width, height: height))
        defer { withExtendedLifetime(buffer) {} }
        let memory = try #require(card.framebuffers[buffer.framebuffer]).memory
        let pitch = memory.count / height
        let hole = Self.rectangle(2, 2, 4, 4)
        buffer.write(canvas, hole: hole)
        var wrong = 0
        for y in 0..<height {
            for x in 0..<width {
                let (fromX, fromY) = (x - width / 2 + 4, y - height / 2 + 4)
                let isOutside = fromX < 0 || fromX >= 8 || fromY < 0 || fromY >= 8
                let isClear = (2..<6).contains(fromX) && (2..<6).contains(fromY)
                let expected: [UInt8] = isOutside ? [0, 0, 0, 0] : [1, 2, 3, isClear ? 0 : 255]
                let place = y * pitch + x * 4
                if Array(memory[place..<place + 4]) != expected { wrong += 1 }
            }
        }
        #expect(wrong == 0)
    }
}
