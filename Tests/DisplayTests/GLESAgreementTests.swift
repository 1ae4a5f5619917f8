// SPDX-License-Identifier: Apache-2.0
import Conversion
import Display
import Media
import Scene
import Testing

/// The same picture by OpenGL ES and by libswscale's quick path, which the software compositor uses: of 255 at most 2
/// apart on average and 8 anywhere, 3 and 10 where little is left of the picture. libswscale rounds down, and takes one
/// chroma sample for two pixels.
@Suite struct GLESAgreementTests {
    /// - Returns: how far they are apart.
    private func difference(
        of picture: TestPicture, at size: PixelSize, field: VideoFrame.Field? = nil
    ) throws -> Difference {
        let software = CanvasBuffer(width: size.width, height: size.height)
        let hardware = CanvasBuffer(width: size.width, height: size.height)
        let all = PixelRectangle(x: 0, y: 0, size: size)
        var converter = VideoConverter()
        try picture.withFrame { try converter.draw($0, field: field, in: all, of: software) }
        var difference = Difference()
        try Surfaceless.withCompositor(size.width, size.height) { compositor in
            try compositor.begin()
            picture.withFrame {
                compositor.draw($0, field: field, at: Placement(picture, at: all), slot: 0, version: 0)
            }
            try compositor.readBack(into: hardware)
            difference = software.difference(from: hardware)
        }
        return difference
    }

    /// libswscale takes every picture without chroma for one of full range.
    private static func isFullRange(_ format: VideoFrame.PixelFormat) -> Bool {
        format == .yuvj420p || format.planeCount == 1
    }

    private static let sizes = [
        PixelSize(width: 320, height: 180), PixelSize(width: 640, height: 360), PixelSize(width: 160, height: 90),
        PixelSize(width: 48, height: 27),
    ]

    @Test(arguments: VideoFrame.PixelFormat.allCases, sizes) func everyFormat(
        format: VideoFrame.PixelFormat, size: PixelSize
    ) throws {
        let picture = TestPicture.scene(format, width: 320, height: 180, isFullRange: Self.isFullRange(format))
        let difference = try difference(of: picture, at: size)
        #expect(
            difference.mean <= (size.width < 64 ? 3 : 2) && difference.largest <= (size.width < 64 ? 10 : 8),
            "\(difference)")
    }

    @Test(arguments: [VideoFrame.Matrix.bt601, .bt709, .bt2020], [false, true]) func everyMatrixAndRange(
        matrix: VideoFrame.Matrix, isFullRange: Bool
    ) throws {
        for format in [VideoFrame.PixelFormat.yuv420p, .nv12, .yuv422p10] {
            let picture = TestPicture.scene(format, width: 320, height: 180, matrix: matrix, isFullRange: isFullRange)
            let difference = try difference(of: picture, at: PixelSize(width: 320, height: 180))
            #expect(difference.mean <= 2 && difference.largest <= 8, "\(format) \(difference)")
        }
    }

    /// Where one of BT.709's primaries is nearly dark, the smallest difference of light is a large one of signal: the
    /// largest counts without colour, the mean with.
    @Test(arguments: [VideoFrame.Transfer.pq, .hlg], [VideoFrame.PixelFormat.yuv420p10, .p010]) func highDynamicRange(
        transfer: VideoFrame.Transfer, format: VideoFrame.PixelFormat
    ) throws {
        for (colour, limit) in [(0, 4), (0.05, 255)] {
            let picture = TestPicture.scene(
                format, width: 320, height: 180, matrix: .bt2020, transfer: transfer, colour: colour)
            for size in Self.sizes {
                let difference = try difference(of: picture, at: size)
                #expect(difference.mean <= 1.5 && difference.largest <= limit, "\(colour) \(size) \(difference)")
            }
        }
    }

    @Test(arguments: [VideoFrame.Field.top, .bottom], VideoFrame.PixelFormat.allCases) func fields(
        field: VideoFrame.Field, format: VideoFrame.PixelFormat
    ) throws {
        let picture = TestPicture.scene(format, width: 320, height: 180, isFullRange: Self.isFullRange(format))
        for size in [PixelSize(width: 320, height: 180), PixelSize(width: 160, height: 90)] {
            let difference = try difference(of: picture, at: size, field: field)
            #expect(difference.mean <= 2 && difference.largest <= 8, "\(size) \(difference)")
        }
    }

    /// Odd edges, for which chroma has half a sample more.
    @Test(arguments: [PixelSize(width: 321, height: 181), PixelSize(width: 107, height: 59)])
    func oddSizes(size: PixelSize) throws {
        for format in [VideoFrame.PixelFormat.yuv420p, .nv12, .yuv422p] {
            let difference = try difference(of: .scene(format, width: 321, height: 181), at: size)
            #expect(difference.mean <= 2 && difference.largest <= 8, "\(format) \(difference)")
        }
    }
}
