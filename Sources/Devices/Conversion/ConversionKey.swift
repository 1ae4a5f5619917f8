// SPDX-License-Identifier: Apache-2.0
internal import CLibSWScale
import Media
import Scene

/// The parameters of a libswscale context.
struct ConversionKey: Hashable {
    var source: AVPixelFormat
    var sourceSize: PixelSize
    var isSourceFullRange: Bool
    var target: AVPixelFormat
    var targetSize: PixelSize
    var matrix: VideoFrame.Matrix
    var flags: Int32
    /// Matters only if the target is YUV.
    var isTargetFullRange = false

    func makeContext() throws(ConversionError) -> ConversionContext {
        let context = sws_getContext(
            Int32(sourceSize.width), Int32(sourceSize.height), source, Int32(targetSize.width),
            Int32(targetSize.height), target, flags, nil, nil, nil)
        guard let context else { throw .unsupported(from: sourceSize, to: targetSize) }
        let coefficients = sws_getCoefficients(matrix.libraryCode)
        // Only the YUV side has a matrix and a range. libswscale returns -1 if neither side is YUV.
        sws_setColorspaceDetails(
            context, coefficients, isSourceFullRange ? 1 : 0, coefficients,
            target == AV_PIX_FMT_YUV420P && !isTargetFullRange ? 0 : 1, 0, 1 << 16, 1 << 16)
        return ConversionContext(key: self, pointer: context)
    }
}

/// Pixel format of a canvas: blue, green, red, unused; 8 bits each.
let canvasFormat = AV_PIX_FMT_BGR0

/// Pixel format that a tone map reads: red, green, blue, unused; 16 bits each.
let deepFormat = AV_PIX_FMT_RGBA64LE

final class ConversionContext {
    let key: ConversionKey
    let pointer: OpaquePointer

    init(key: ConversionKey, pointer: OpaquePointer) {
        self.key = key
        self.pointer = pointer
    }

    deinit { sws_freeContext(pointer) }
}

extension AVPixelFormat: @retroactive Hashable {}

extension VideoFrame.PixelFormat {
    var libraryCode: AVPixelFormat {
        switch self {
        case .yuv420p, .yuvj420p: AV_PIX_FMT_YUV420P  // the range is passed separately
        case .yuv422p: AV_PIX_FMT_YUV422P
        case .yuv444p: AV_PIX_FMT_YUV444P
        case .nv12: AV_PIX_FMT_NV12
        case .nv21: AV_PIX_FMT_NV21
        case .gray: AV_PIX_FMT_GRAY8
        case .yuv420p10: AV_PIX_FMT_YUV420P10LE
        case .yuv422p10: AV_PIX_FMT_YUV422P10LE
        case .yuv444p10: AV_PIX_FMT_YUV444P10LE
        case .p010: AV_PIX_FMT_P010LE
        case .gray10: AV_PIX_FMT_GRAY10LE
        case .yuv420p12: AV_PIX_FMT_YUV420P12LE
        case .yuv422p12: AV_PIX_FMT_YUV422P12LE
        case .yuv444p12: AV_PIX_FMT_YUV444P12LE
        }
    }
}

extension VideoFrame.Matrix {
    fileprivate var libraryCode: Int32 {
        switch self {
        case .bt601: SWS_CS_ITU601
        case .bt709: SWS_CS_ITU709
        case .bt2020: SWS_CS_BT2020
        }
    }
}
