// SPDX-License-Identifier: Apache-2.0
import Media
import Scene
import TestSupport
import Testing

@testable import Conversion

@Suite struct ToneMapTests {
    /// What a 10-bit picture of one colour becomes, in the middle of the canvas.
    private func shown(
        _ yuv: (UInt16, UInt16, UInt16), _ transfer: VideoFrame.Transfer
    ) throws -> (red: Int, green: Int, blue: Int) {
        let (width, height) = (32, 16)
        let luma = [UInt16](repeating: yuv.0, count: width * height)
        let blue = [UInt16](repeating: yuv.1, count: width * height / 4)
        let red = [UInt16](repeating: yuv.2, count: width * height / 4)
        let canvas = CanvasBuffer(width: 50, height: 20)
        canvas.fill(blue: 7, green: 7, red: 7)
        var converter = VideoConverter()
        try luma.withUnsafeBytes { luma in
            try blue.withUnsafeBytes { blue in
                try red.withUnsafeBytes { red in
                    let base = try #require(luma.baseAddress)
                    let frame = VideoFrame(
                        format: .yuv420p10, width: width, height: height, pixelAspect: (1, 1), matrix: .bt2020,
                        isFullRange: false, transfer: transfer,
                        planes: (
                            .init(base: base, stride: width * 2),
                            .init(base: try #require(blue.baseAddress), stride: width),
                            .init(base: try #require(red.baseAddress), stride: width)
                        ), pts: 0, isDamaged: false, owner: UnsafeMutableRawPointer(mutating: base),
                        giveBack: { _ in })
                    let part = PixelRectangle(x: 5, y: 2, size: PixelSize(width: 33, height: 16))
                    try converter.draw(frame, in: part, of: canvas)
                }
            }
        }
        #expect(canvas.pixel(4, 9) == (7, 7, 7) && canvas.pixel(38, 9) == (7, 7, 7))
        return canvas.pixel(20, 9)
    }

    @Test(arguments: [VideoFrame.Transfer.pq, .hlg]) func greysStayGreyAndInOrder(transfer: VideoFrame.Transfer) throws
    {
        var last = -1
        for luma in stride(from: UInt16(64), through: 940, by: 12) {
            let (red, green, blue) = try shown((luma, 512, 512), transfer)
            #expect(abs(red - green) <= 2 && abs(blue - green) <= 2)
            #expect(green >= last)
            last = green
        }
        #expect(try shown((64, 512, 512), transfer).green == 0)
        #expect(try shown((940, 512, 512), transfer).green == 255)
    }

    /// BT.2408: diffuse white is 58 % of PQ and 75 % of HLG; 18 % grey is 38 % of both.
    @Test(arguments: [(VideoFrame.Transfer.pq, 0.58), (.hlg, 0.75)]) func diffuseWhiteIsNearlyWhite(
        transfer: VideoFrame.Transfer, signal: Double
    ) throws {
        let white = try shown((UInt16(64 + 876 * signal), 512, 512), transfer).green
        #expect((220...240).contains(white))
        let grey = try shown((UInt16(64 + 876 * 0.38), 512, 512), transfer).green
        #expect((100...150).contains(grey))
    }

    /// BT.2020 red at 58 % of PQ: outside BT.709, and still red.
    @Test func coloursKeepTheirHue() throws {
        // BT.2020: Y' = 0.2627 R', Cb' = -Y' / 1.8814, Cr' = (R' - Y') / 1.4746.
        let (red, luma) = (0.58, 0.2627 * 0.58)
        let code = (
            UInt16(64 + 876 * luma), UInt16(512 - 896 * luma / 1.8814), UInt16(512 + 896 * (red - luma) / 1.4746)
        )
        let colour = try shown(code, .pq)
        #expect(colour.red >= 240 && colour.green < 20 && colour.blue < 20)
    }

    @Test(arguments: [
        (VideoFrame.PixelFormat.gray, UInt16(126)), (.gray10, 504), (.yuv444p10, 504), (.yuv444p12, 2_016),
        (.p010, 504 << 6), (.yuv420p12, 2_016), (.yuv422p12, 2_016), (.nv12, 126),
        (.nv21, 126),
    ]) func everyFormatIsDrawn(format: VideoFrame.PixelFormat, luma: UInt16) throws {
        let neutral: UInt16 =
            switch format {
            case .p010: 512 << 6
            case .yuv420p12, .yuv422p12, .yuv444p12: 2_048
            case .nv12, .nv21, .gray: 128
            default: 512
            }
        let isDeep = format.sampleOctets == 2
        func plane(_ value: UInt16) -> [UInt8] {
            (0..<64 * 32).flatMap { _ in isDeep ? [UInt8(value & 0xff), UInt8(value >> 8)] : [UInt8(value)] }
        }
        let canvas = CanvasBuffer(width: 64, height: 32)
        var converter = VideoConverter()
        try plane(luma).withUnsafeBytes { luma in
            try plane(neutral).withUnsafeBytes { chroma in
                let (first, second) = (try #require(luma.baseAddress), try #require(chroma.baseAddress))
                let stride = 64 * format.sampleOctets
                let frame = VideoFrame(
                    format: format, width: 64, height: 32, pixelAspect: (1, 1), matrix: .bt709, isFullRange: false,
                    planes: (
                        .init(base: first, stride: stride), .init(base: second, stride: stride),
                        .init(base: second, stride: stride)
                    ), pts: 0, isDamaged: false, owner: UnsafeMutableRawPointer(mutating: first), giveBack: { _ in })
                let all = PixelRectangle(x: 0, y: 0, size: PixelSize(width: 64, height: 32))
                for field in [VideoFrame.Field?.none, .top, .bottom] {
                    try converter.draw(frame, field: field, in: all, of: canvas)
                    let (red, green, blue) = canvas.pixel(40, 20)
                    #expect(abs(red - 128) <= 2 && abs(green - 128) <= 2 && abs(blue - 128) <= 2)
                }
            }
        }
    }
}
