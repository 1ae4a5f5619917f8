// SPDX-License-Identifier: Apache-2.0
import Media

/// Pictures in YCbCr of 4:2:0, as a plane takes them.
extension VideoFrame.PixelFormat {
    /// What a decoded picture of these samples can be written as for a plane, the cheapest first; empty: it has to be
    /// composed.
    var copies: [VideoFrame.PixelFormat] {
        switch self {
        case .yuv420p, .yuvj420p: [.yuv420p, .nv12]
        case .nv12, .nv21: [.nv12, .yuv420p]
        case .yuv422p, .yuv444p, .gray, .yuv420p10, .yuv422p10, .yuv444p10, .p010, .gray10, .yuv420p12, .yuv422p12,
            .yuv444p12:
            []
        }
    }

    /// Where each plane begins in one memory, and octets from one of its rows to the next.
    /// - Parameters:
    ///   - pitch: of luma; even.
    ///   - height: even.
    func layout(pitch: Int, height: Int) -> [(offset: Int, pitch: Int)] {
        let (luma, half) = (pitch * height, pitch / 2)
        guard planeCount > 2 else { return [(0, pitch), (luma, pitch)] }
        return [(0, pitch), (luma, half), (luma + half * (height / 2), half)]
    }
}
