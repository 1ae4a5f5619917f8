// SPDX-License-Identifier: Apache-2.0
import Media

/// How the samples of a format are read.
struct SampleLayout {
    let bits: Int
    /// The value of a sample of 1.0 in the format's numbers.
    let unit: Int
    /// Number of luma columns for each chroma column.
    let across: Int
    let down: Int
    /// Position of the first chroma sample, in luma samples to the right of the first luma sample: 0 by default in
    /// H.264 and H.262, half a sample in the JPEG family. Vertically it is half a sample in both.
    let siting: Float

    init(_ format: VideoFrame.PixelFormat) {
        (bits, across, down) =
            switch format {
            case .yuv420p, .nv12, .nv21, .yuvj420p: (8, 2, 2)
            case .yuv422p: (8, 2, 1)
            case .yuv444p, .gray: (8, 1, 1)
            case .yuv420p10, .p010: (10, 2, 2)
            case .yuv422p10: (10, 2, 1)
            case .yuv444p10, .gray10: (10, 1, 1)
            case .yuv420p12: (12, 2, 2)
            case .yuv422p12: (12, 2, 1)
            case .yuv444p12: (12, 1, 1)
            }
        unit = format == .p010 ? 64 : 1
        siting = format == .yuvj420p ? 0.5 : 0
    }
}
