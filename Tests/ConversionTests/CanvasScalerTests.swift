// SPDX-License-Identifier: Apache-2.0
import Media
import Scene
import Testing

@testable import Conversion

@Suite struct CanvasScalerTests {
    struct Colour: Sendable {
        var rgb: (UInt8, UInt8, UInt8)
        var yuv: (Int, Int, Int)
    }

    /// Computed from JFIF's equations.
    static let colours: [Colour] = [
        Colour(rgb: (0, 0, 0), yuv: (0, 128, 128)), Colour(rgb: (255, 255, 255), yuv: (255, 128, 128)),
        Colour(rgb: (255, 0, 0), yuv: (76, 85, 255)), Colour(rgb: (0, 255, 0), yuv: (150, 44, 21)),
        Colour(rgb: (0, 0, 255), yuv: (29, 255, 107)), Colour(rgb: (128, 128, 128), yuv: (128, 128, 128)),
    ]

    /// Smaller, of the same size, and from and to odd and narrow sizes.
    static let sizes: [(PixelSize, PixelSize)] = [
        (PixelSize(width: 64, height: 36), PixelSize(width: 32, height: 18)),
        (PixelSize(width: 64, height: 36), PixelSize(width: 64, height: 36)),
        (PixelSize(width: 101, height: 57), PixelSize(width: 50, height: 28)),
        (PixelSize(width: 1_280, height: 720), PixelSize(width: 2, height: 2)),
    ]

    /// Each pixel of a smaller canvas is the mean of those that it covers.
    @Test func canvasesAreAveraged() throws {
        let (from, to) = (PixelSize(width: 160, height: 90), PixelSize(width: 20, height: 10))
        let canvas = CanvasBuffer(width: from.width, height: from.height)
        for row in 0..<from.height {
            for column in 0..<from.width {
                let place = row * canvas.stride + column * 4
                // Left: red. Right: columns of black and white by turns.
                let value: UInt8 = column % 2 == 0 ? 255 : 0
                let pixel: [UInt8] = column < 80 ? [0, 0, 255] : [value, value, value]
                for (index, part) in pixel.enumerated() { canvas.bytes[place + index] = part }
            }
        }
        let small = CanvasBuffer(width: to.width, height: to.height)
        try CanvasScaler(from: from, toCanvasOf: to).scale(canvas, to: small)
        func pixel(_ x: Int, _ y: Int) -> [Int] { (0..<3).map { Int(small.bytes[y * small.stride + x * 4 + $0]) } }
        for y in 0..<to.height {
            for (x, wanted) in [(0, [0, 0, 255]), (8, [0, 0, 255]), (11, [128, 128, 128]), (19, [128, 128, 128])] {
                let difference = zip(pixel(x, y), wanted).map { abs($0 - $1) }.max() ?? 0
                #expect(difference <= 6, "\(x) \(y): \(pixel(x, y))")
            }
        }
    }

    /// The whole height of the canvas is in the picture, also where only every other row of it is read.
    @Test(arguments: [32, 16, 8]) func upperAndLowerHalvesStay(height: Int) throws {
        let (from, to) = (PixelSize(width: 64, height: 64), PixelSize(width: 64, height: height))
        let canvas = CanvasBuffer(width: from.width, height: from.height)
        for place in from.height / 2 * canvas.stride..<canvas.bytes.count { canvas.bytes[place] = 255 }
        let picture = PictureBuffer(width: to.width, height: to.height)
        try CanvasScaler(from: from, to: to).scale(canvas, to: picture)
        let luma = picture.plane(0)
        let rows = (0..<height).map { Int(picture.bytes[luma.offset + $0 * luma.stride + from.width / 2]) }
        // The two rows at the edge may be mixed.
        #expect(rows[..<(height / 2 - 1)].allSatisfy { $0 <= 3 }, "\(rows)")
        #expect(rows[(height / 2 + 1)...].allSatisfy { $0 >= 252 }, "\(rows)")
    }

    @Test(arguments: colours) func coloursAreThoseOfJFIF(colour: Colour) throws {
        for (from, to) in Self.sizes {
            let canvas = CanvasBuffer(width: from.width, height: from.height)
            canvas.fill(blue: colour.rgb.2, green: colour.rgb.1, red: colour.rgb.0)
            let picture = PictureBuffer(width: to.width, height: to.height)
            let scaler = try CanvasScaler(from: from, to: to)
            try scaler.scale(canvas, to: picture)
            for (index, wanted) in [colour.yuv.0, colour.yuv.1, colour.yuv.2].enumerated() {
                let plane = picture.plane(index)
                for row in 0..<plane.height {
                    for column in 0..<plane.width {
                        let value = Int(picture.bytes[plane.offset + row * plane.stride + column])
                        guard abs(value - wanted) <= 3 else {
                            Issue.record("\(from) to \(to): \(value) at \(column), \(row) of \(index), not \(wanted)")
                            return
                        }
                    }
                }
            }
        }
    }
}
