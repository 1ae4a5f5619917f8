// SPDX-License-Identifier: Apache-2.0
import Media
import Scene
import TestSupport
import Testing

@testable import Conversion

@Suite struct FieldTests {
    private static let size = PixelSize(width: 128, height: 96)

    /// A still scene with slopes, curves and a slanted edge, as much detail as a camera gives an interlaced picture.
    private static func scene() -> PictureBuffer {
        let picture = PictureBuffer(width: size.width, height: size.height)
        for index in 0..<3 {
            let plane = picture.plane(index)
            for y in 0..<plane.height {
                for x in 0..<plane.width {
                    let slope = 40 + (x + y) * 120 / (plane.width + plane.height)
                    let wave = [0, 6, 11, 14, 15, 14, 11, 6, 0, -6, -11, -14, -15, -14, -11, -6][(y + x / 4) % 16]
                    picture.bytes[plane.offset + y * plane.stride + x] = UInt8(slope + wave)
                }
            }
        }
        return picture
    }

    private static func canvas(_ picture: borrowing PictureBuffer, _ field: VideoFrame.Field?) throws -> CanvasBuffer {
        let canvas = CanvasBuffer(width: size.width, height: size.height)
        var converter = VideoConverter()
        try picture.withFrame {
            try converter.draw($0, field: field, in: PixelRectangle(x: 0, y: 0, size: size), of: canvas)
        }
        return canvas
    }

    /// Mean and largest difference of the pixels of rows 0..<height, `other` read `shift` rows further down.
    private static func distance(
        _ one: borrowing CanvasBuffer, _ other: borrowing CanvasBuffer, shift: Int = 0
    ) -> (mean: Double, largest: Int) {
        var (sum, largest) = (0, 0)
        for y in 4..<size.height - 4 {
            for x in 0..<size.width {
                let difference = abs(one.pixel(x, y).green - other.pixel(x, y + shift).green)
                sum += difference
                largest = max(largest, difference)
            }
        }
        return (Double(sum) / Double((size.height - 8) * size.width), largest)
    }

    @Test func aStillSceneStandsStill() throws {
        let scene = Self.scene()
        let woven = try Self.canvas(scene, nil)
        let top = try Self.canvas(scene, .top)
        let bottom = try Self.canvas(scene, .bottom)
        for (mean, largest) in [
            Self.distance(top, bottom), Self.distance(top, woven), Self.distance(bottom, woven),
        ] {
            #expect(mean < 1)
            #expect(largest <= 4)
        }
        // A bounce by one row would be seen: it makes the fields differ more than they do.
        #expect(Self.distance(top, bottom, shift: 1).mean > 4 * Self.distance(top, bottom).mean)
        #expect(Self.distance(top, bottom, shift: -1).mean > 4 * Self.distance(top, bottom).mean)
    }

    /// White rows are one field's, black ones the other's: nothing of the other is seen.
    @Test(arguments: [VideoFrame.Field.top, .bottom]) func onlyTheRowsOfTheFieldCount(field: VideoFrame.Field) throws {
        let picture = PictureBuffer(width: 128, height: 96)
        picture.fill((16, 128, 128))
        for y in stride(from: field == .top ? 0 : 1, to: 96, by: 2) {
            for x in 0..<128 { picture.bytes[y * picture.strides.0 + x] = 235 }
        }
        let canvas = try Self.canvas(picture, field)
        for y in 0..<96 { #expect(canvas.pixel(60, y).green >= 253) }
    }

    @Test func tenBitPicturesToo() throws {
        let (width, height) = (64, 32)
        var luma = [UInt16](repeating: 64, count: width * height)
        for y in stride(from: 1, to: height, by: 2) { for x in 0..<width { luma[y * width + x] = 940 } }
        let chroma = [UInt16](repeating: 512, count: width * height / 2)
        let canvas = CanvasBuffer(width: width, height: height)
        var converter = VideoConverter()
        try luma.withUnsafeBytes { luma in
            try chroma.withUnsafeBytes { chroma in
                let (first, second) = (try #require(luma.baseAddress), try #require(chroma.baseAddress))
                let frame = VideoFrame(
                    format: .yuv422p10, width: width, height: height, pixelAspect: (1, 1), matrix: .bt709,
                    isFullRange: false, fields: .topFirst,
                    planes: (
                        .init(base: first, stride: width * 2), .init(base: second, stride: width),
                        .init(base: second, stride: width)
                    ), pts: 0, isDamaged: false, owner: UnsafeMutableRawPointer(mutating: first), giveBack: { _ in })
                let all = PixelRectangle(x: 0, y: 0, size: PixelSize(width: width, height: height))
                try converter.draw(frame, field: .bottom, in: all, of: canvas)
                for y in 0..<height { #expect(canvas.pixel(30, y).green >= 252) }
                try converter.draw(frame, field: .top, in: all, of: canvas)
                for y in 0..<height { #expect(canvas.pixel(30, y).green <= 2) }
            }
        }
    }
}
