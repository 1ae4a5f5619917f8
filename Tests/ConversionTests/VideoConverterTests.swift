// SPDX-License-Identifier: Apache-2.0
import Media
import Scene
import TestSupport
import Testing

@testable import Conversion

@Suite struct VideoConverterTests {
    struct Colour: Sendable {
        var yuv: (UInt8, UInt8, UInt8)
        var rgb: (Int, Int, Int)
        var matrix: VideoFrame.Matrix
        var isFullRange: Bool
    }

    /// Computed from the matrices of the Recommendations, not with libswscale.
    static let colours: [Colour] = [
        Colour(yuv: (16, 128, 128), rgb: (0, 0, 0), matrix: .bt601, isFullRange: false),
        Colour(yuv: (235, 128, 128), rgb: (255, 255, 255), matrix: .bt709, isFullRange: false),
        Colour(yuv: (81, 90, 240), rgb: (255, 0, 0), matrix: .bt601, isFullRange: false),
        Colour(yuv: (63, 102, 240), rgb: (255, 0, 0), matrix: .bt709, isFullRange: false),
        Colour(yuv: (145, 54, 34), rgb: (0, 255, 0), matrix: .bt601, isFullRange: false),
        Colour(yuv: (173, 42, 26), rgb: (0, 255, 0), matrix: .bt709, isFullRange: false),
        Colour(yuv: (29, 255, 107), rgb: (0, 0, 255), matrix: .bt601, isFullRange: true),
        Colour(yuv: (128, 128, 128), rgb: (128, 128, 128), matrix: .bt709, isFullRange: true),
        Colour(yuv: (126, 128, 128), rgb: (128, 128, 128), matrix: .bt2020, isFullRange: false),
    ]

    @Test(arguments: colours, [VideoConverter.Quality.fast, .accurate])
    func coloursAreThoseOfTheMatrix(colour: Colour, quality: VideoConverter.Quality) throws {
        let picture = PictureBuffer(width: 64, height: 32)
        picture.fill(colour.yuv)
        let canvas = CanvasBuffer(width: 64, height: 32)
        var converter = VideoConverter(quality: quality)
        try picture.withFrame(matrix: colour.matrix, isFullRange: colour.isFullRange) { frame in
            let all = PixelRectangle(x: 0, y: 0, size: PixelSize(width: 64, height: 32))
            try converter.draw(frame, in: all, of: canvas)
        }
        let (red, green, blue) = canvas.pixel(31, 15)
        #expect(abs(red - colour.rgb.0) <= 3 && abs(green - colour.rgb.1) <= 3 && abs(blue - colour.rgb.2) <= 3)
    }

    /// 50 x 30 pixels, scaled and not: libswscale by itself would write up to 15 pixels further.
    @Test(arguments: [PixelSize(width: 50, height: 30), PixelSize(width: 100, height: 60)])
    func nothingOutsideTheRectangleChanges(source: PixelSize) throws {
        let picture = PictureBuffer(width: source.width, height: source.height)
        picture.fill((235, 128, 128))
        let canvas = CanvasBuffer(width: 100, height: 60)
        canvas.fill(blue: 7, green: 7, red: 7)
        let rectangle = PixelRectangle(x: 26, y: 10, size: PixelSize(width: 50, height: 30))
        var converter = VideoConverter()
        try picture.withFrame { try converter.draw($0, in: rectangle, of: canvas) }
        var wrong = 0
        for y in 0..<60 {
            for x in 0..<100 {
                let isInside = (26..<76).contains(x) && (10..<40).contains(y)
                let (red, green, blue) = canvas.pixel(x, y)
                if isInside ? min(red, green, blue) < 250 : (red, green, blue) != (7, 7, 7) { wrong += 1 }
            }
        }
        #expect(wrong == 0)
    }

    @Test func theCanvasComesBackFromAPicture() throws {
        let canvas = CanvasBuffer(width: 64, height: 64)
        canvas.fill(blue: 30, green: 100, red: 200)
        let picture = PictureBuffer(width: 64, height: 64)
        var converter = VideoConverter(quality: .accurate)
        for matrix in [VideoFrame.Matrix.bt601, .bt709] {
            try converter.convert(canvas, to: picture, matrix: matrix)
            let back = CanvasBuffer(width: 64, height: 64)
            let all = PixelRectangle(x: 0, y: 0, size: PixelSize(width: 64, height: 64))
            try picture.withFrame(matrix: matrix) { try converter.draw($0, in: all, of: back) }
            let (red, green, blue) = back.pixel(20, 40)
            #expect(abs(red - 200) <= 3 && abs(green - 100) <= 3 && abs(blue - 30) <= 3)
        }
    }

    @Test func someRowsOfTheCanvasAreConvertedInPlace() throws {
        let canvas = CanvasBuffer(width: 64, height: 64)
        canvas.fill(blue: 255, green: 255, red: 255)
        let picture = PictureBuffer(width: 64, height: 64)
        picture.fill((16, 128, 128))
        var converter = VideoConverter()
        try converter.convert(canvas, rows: 16..<32, to: picture, matrix: .bt709)
        let luma = (0..<64).map { picture.bytes[$0 * picture.strides.0 + 5] }
        for (row, value) in luma.enumerated() { #expect(value == ((16..<32).contains(row) ? 235 : 16)) }
    }

    @Test func contextsAreBounded() throws {
        var converter = VideoConverter()
        let picture = PictureBuffer(width: 64, height: 64)
        let canvas = CanvasBuffer(width: 320, height: 320)
        for step in 1...20 {
            let rectangle = PixelRectangle(x: 0, y: 0, size: PixelSize(width: step * 16, height: step * 16))
            try picture.withFrame { try converter.draw($0, in: rectangle, of: canvas) }
        }
        #expect(converter.contextCount == 8)
    }
}
