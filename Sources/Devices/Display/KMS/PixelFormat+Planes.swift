// SPDX-License-Identifier: Apache-2.0
import Media

/// YCbCr 4:2:0, as planes show it.
extension VideoFrame.PixelFormat {
    /// The formats to which a picture of this format can be copied for a plane, cheapest first; empty if it must be
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

    /// The offset of each plane in a single buffer, and the octets from one of its rows to the next.
    /// - Parameters:
    ///   - pitch: luma's pitch in octets; even.
    ///   - height: rows; even.
    func layout(pitch: Int, height: Int) -> [(offset: Int, pitch: Int)] {
        let (luma, half) = (pitch * height, pitch / 2)
        guard planeCount > 2 else { return [(0, pitch), (luma, pitch)] }
        return [(0, pitch), (luma, half), (luma + half * (height / 2), half)]
    }
}
