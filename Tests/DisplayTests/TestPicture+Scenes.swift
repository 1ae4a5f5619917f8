// SPDX-License-Identifier: Apache-2.0
import Foundation
import Media

extension TestPicture {
    /// Slopes, waves and slanted edges of luma, as a camera's; colour that turns slowly, as libswscale's quick path
    /// takes one chroma sample for two pixels.
    static func scene(
        _ format: VideoFrame.PixelFormat = .yuv420p, width: Int, height: Int, matrix: VideoFrame.Matrix = .bt709,
        isFullRange: Bool = false, transfer: VideoFrame.Transfer = .sdr, oddity: Int = 64, phase: Double = 0,
        colour: Double = 0.18
    ) -> TestPicture {
        TestPicture(
            format, width: width, height: height, matrix: matrix, isFullRange: isFullRange, transfer: transfer,
            oddity: oddity,
            luma: { x, y in
                let wave = 0.08 * sin(2 * .pi * (9 * x + 5 * y + phase))
                let edge = (x - 0.62) * 2 + (y - 0.4) > 0 && (x - 0.85) * 2 + (y - 0.4) < 0 ? 0.25 : 0.0
                return 0.25 + 0.3 * (x + y) / 2 + wave + edge
            }, blue: { x, y in 0.5 + colour * sin(2 * .pi * (x + phase)) * cos(.pi * y) },
            red: { x, y in 0.5 + colour * cos(2 * .pi * (y - x / 2 + phase)) })
    }

    static func plain(
        _ format: VideoFrame.PixelFormat = .yuv420p, width: Int, height: Int, luma: Double
    ) -> TestPicture {
        TestPicture(
            format, width: width, height: height, luma: { _, _ in luma }, blue: { _, _ in 0.5 },
            red: { _, _ in 0.5 })
    }
}
