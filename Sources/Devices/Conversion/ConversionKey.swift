// SPDX-License-Identifier: Apache-2.0
internal import CLibSWScale
import Media
import Scene

/// Everything that a libswscale context is made for.
struct ConversionKey: Hashable {
    var source: AVPixelFormat
    var sourceSize: PixelSize
    var isSourceFullRange: Bool
    var target: AVPixelFormat
    var targetSize: PixelSize
    var matrix: VideoFrame.Matrix
    var flags: Int32

    func makeContext() throws(ConversionError) -> ConversionContext {
        let context = sws_getContext(
            Int32(sourceSize.width), Int32(sourceSize.height), source, Int32(targetSize.width),
            Int32(targetSize.height), target, flags, nil, nil, nil)
        guard let context else { throw .unsupported(from: sourceSize, to: targetSize) }
        let coefficients = sws_getCoefficients(matrix.libraryCode)
        // Of the two sides only the YUV one has a matrix and a choice of range. -1 would mean that neither has.
        sws_setColorspaceDetails(
            context, coefficients, isSourceFullRange ? 1 : 0, coefficients, target == canvasFormat ? 1 : 0, 0, 1 << 16,
            1 << 16)
        return ConversionContext(key: self, pointer: context)
    }
}

/// The canvas's pixels: blue, green, red, unused.
let canvasFormat = AV_PIX_FMT_BGR0

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

extension VideoFrame.Matrix {
    fileprivate var libraryCode: Int32 {
        switch self {
        case .bt601: SWS_CS_ITU601
        case .bt709: SWS_CS_ITU709
        case .bt2020: SWS_CS_BT2020
        }
    }
}
