// SPDX-License-Identifier: Apache-2.0
import Media
import Scene

/// Pictures in YCbCr that a plane can take: 4:2:0 of 8 bits. The codes are those of `drm_fourcc.h`.
enum VideoFormat: UInt32, Sendable, CaseIterable {
    /// Luma, then both chroma samples by turns.
    case nv12 = 0x3231_564e
    /// Luma, blue, red.
    case yu12 = 0x3231_5559

    /// What a decoded picture can be written as, the cheapest first; empty: it has to be composed.
    static func choices(for format: VideoFrame.PixelFormat) -> [VideoFormat] {
        switch format {
        case .yuv420p, .yuvj420p: [.yu12, .nv12]
        case .nv12: [.nv12, .yu12]
        case .yuv422p, .yuv444p, .gray, .yuv420p10, .yuv422p10, .yuv444p10, .p010, .gray10, .yuv420p12, .yuv422p12,
            .yuv444p12:
            []
        }
    }

    var planeCount: Int { self == .nv12 ? 2 : 3 }

    /// Where each plane begins, and octets from one of its rows to the next.
    /// - Parameters:
    ///   - pitch: of luma; even.
    ///   - height: even.
    func layout(pitch: Int, height: Int) -> [(offset: Int, pitch: Int)] {
        switch self {
        case .nv12: [(0, pitch), (pitch * height, pitch)]
        case .yu12: [(0, pitch), (pitch * height, pitch / 2), (pitch * height + pitch / 2 * (height / 2), pitch / 2)]
        }
    }
}
