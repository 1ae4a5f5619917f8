// SPDX-License-Identifier: Apache-2.0
internal import CLibSWScale
import Media
import Scene

/// Scales canvases of one size to pictures of another, in full range and BT.601, as JFIF requires, or to canvases of
/// another.
/// - Thread: one, which owns it.
public final class CanvasScaler {
    private let context: ConversionContext
    private let source: PixelSize
    /// 2 if every second row of the canvas is read, 1 if every row is.
    private let rows: Int

    /// - Parameter target: width and height are even. If it has a quarter of the height or less, every second row of the
    ///   canvas is read: at least two rows for each row of the picture.
    public init(from source: PixelSize, to target: PixelSize) throws(ConversionError) {
        self.source = source
        rows = source.height >= 4 * target.height ? 2 : 1
        let read = PixelSize(width: source.width, height: source.height / rows)
        context = try ConversionKey(
            source: canvasFormat, sourceSize: read, isSourceFullRange: false, target: AV_PIX_FMT_YUV420P,
            targetSize: target, matrix: .bt601, flags: SWS_BILINEAR, isTargetFullRange: true
        ).makeContext()
    }

    /// Scales to canvases. Each of their pixels is the mean of what it covers.
    public init(from source: PixelSize, toCanvasOf target: PixelSize) throws(ConversionError) {
        self.source = source
        rows = 1
        let exact = SWS_ACCURATE_RND | SWS_FULL_CHR_H_INT | SWS_FULL_CHR_H_INP
        context = try ConversionKey(
            source: canvasFormat, sourceSize: source, isSourceFullRange: true, target: canvasFormat,
            targetSize: target, matrix: .bt601, flags: SWS_AREA | exact
        ).makeContext()
    }

    /// Draws the whole canvas into the whole picture; both must have the sizes given to `init`.
    public func scale(_ canvas: borrowing CanvasBuffer, to picture: borrowing PictureBuffer) throws(ConversionError) {
        precondition(source == PixelSize(width: canvas.width, height: canvas.height))
        precondition(context.key.targetSize == PixelSize(width: picture.width, height: picture.height))
        guard let pixels = canvas.bytes.baseAddress, let planes = picture.bytes.baseAddress else { return }
        let (luma, blue, red) = (picture.plane(0), picture.plane(1), picture.plane(2))
        let source = TLPlanes(
            plane: (UnsafePointer(pixels.assumingMemoryBound(to: UInt8.self)), nil, nil, nil),
            stride: (Int32(canvas.stride * rows), 0, 0, 0))
        var target = TLPlanes()
        let octets = UnsafePointer(planes.assumingMemoryBound(to: UInt8.self))
        target.plane = (octets + luma.offset, octets + blue.offset, octets + red.offset, nil)
        target.stride = (Int32(luma.stride), Int32(blue.stride), Int32(red.stride), 0)
        let code = tl_scale(context.pointer, source, Int32(canvas.height / rows), target)
        guard code >= 0 else { throw .failed(code) }
    }

    /// Draws the whole canvas into all of the other one; both must have the sizes given to `init`.
    public func scale(_ canvas: borrowing CanvasBuffer, to other: borrowing CanvasBuffer) throws(ConversionError) {
        precondition(source == PixelSize(width: canvas.width, height: canvas.height))
        precondition(context.key.targetSize == PixelSize(width: other.width, height: other.height))
        precondition(context.key.target == canvasFormat)
        guard let pixels = canvas.bytes.baseAddress, let scaled = other.bytes.baseAddress else { return }
        let source = TLPlanes(
            plane: (UnsafePointer(pixels.assumingMemoryBound(to: UInt8.self)), nil, nil, nil),
            stride: (Int32(canvas.stride), 0, 0, 0))
        let target = TLPlanes(
            plane: (UnsafePointer(scaled.assumingMemoryBound(to: UInt8.self)), nil, nil, nil),
            stride: (Int32(other.stride), 0, 0, 0))
        let code = tl_scale(context.pointer, source, Int32(canvas.height), target)
        guard code >= 0 else { throw .failed(code) }
    }
}
