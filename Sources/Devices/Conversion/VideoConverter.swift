// SPDX-License-Identifier: Apache-2.0
internal import CLibSWScale
import Media
import Scene

/// Pictures to canvases and back by libswscale, scaled where the sizes differ, with each picture's own matrix and range.
/// - Thread: one, which owns it. Contexts are made on the first use of a combination and kept.
public struct VideoConverter: ~Copyable {
    public enum Quality: Sendable, Hashable {
        /// Bilinear and, unscaled, libswscale's table-driven path: 1.1 ms for a 1080p picture.
        case fast
        /// Bicubic, exact rounding, interpolated chroma: 8 ms.
        case accurate
    }

    private let quality: Quality
    /// Most recently used first.
    private var contexts: [ConversionContext] = []
    package var contextCount: Int { contexts.count }
    private var scratch: CanvasBuffer?
    private var fields = FieldInterpolator()
    /// A picture of `deepFormat` on its way through a tone map.
    private var deep = GrowingMemory()

    private static let contextLimit = 8

    public init(quality: Quality = .fast) { self.quality = quality }

    /// Draws all of `frame` into all of `rectangle`, which lies inside the canvas; nothing outside changes. Pictures of
    /// high dynamic range are mapped to the canvas's.
    /// - Parameter field: the one to show, with the rows of the other interpolated; nil: all rows as they are.
    public mutating func draw(
        _ frame: borrowing VideoFrame, field: VideoFrame.Field? = nil, in rectangle: PixelRectangle,
        of canvas: borrowing CanvasBuffer
    ) throws(ConversionError) {
        let size = rectangle.size
        precondition(rectangle.x >= 0 && rectangle.y >= 0 && size.width > 0 && size.height > 0)
        precondition(rectangle.x + size.width <= canvas.width && rectangle.y + size.height <= canvas.height)
        let place = rectangle.y * canvas.stride + rectangle.x * 4
        let planes = field.map { fields.planes(of: frame, $0) } ?? frame.planes
        switch frame.transfer {
        case .sdr: break
        case .pq: return try map(frame, planes, by: .pq, to: canvas, at: place, size: size)
        case .hlg: return try map(frame, planes, by: .hlg, to: canvas, at: place, size: size)
        }
        // libswscale writes whole SIMD words, some pixels beyond an odd width: never into what is beside.
        if size.width % 16 == 0 || rectangle.x == 0 && size.width == canvas.width {
            try convert(frame, planes, to: canvas, at: place, size: size)
        } else {
            let detour = takeScratch(size)
            try convert(frame, planes, to: detour, at: 0, size: size)
            for row in 0..<size.height {
                let pixels = UnsafeRawBufferPointer(
                    rebasing: detour.bytes[(row * detour.stride)...].prefix(size.width * 4))
                UnsafeMutableRawBufferPointer(rebasing: canvas.bytes[(place + row * canvas.stride)...])
                    .copyMemory(from: pixels)
            }
            scratch = consume detour
        }
    }

    /// The canvas, or some of its rows, as a picture of the same size in limited range, for an encoder.
    /// - Parameter rows: even bounds; nil means all.
    public mutating func convert(
        _ canvas: borrowing CanvasBuffer, rows: Range<Int>? = nil, to picture: borrowing PictureBuffer,
        matrix: VideoFrame.Matrix
    ) throws(ConversionError) {
        let rows = rows ?? 0..<canvas.height
        precondition(canvas.width == picture.width && canvas.height == picture.height)
        precondition(rows.lowerBound >= 0 && rows.upperBound <= canvas.height && !rows.isEmpty)
        precondition(rows.lowerBound % 2 == 0 && rows.count % 2 == 0)
        let size = PixelSize(width: canvas.width, height: rows.count)
        let context = try context(
            ConversionKey(
                source: canvasFormat, sourceSize: size, isSourceFullRange: false, target: AV_PIX_FMT_YUV420P,
                targetSize: size, matrix: matrix, flags: flags))
        guard let pixels = canvas.bytes.baseAddress, let planes = picture.bytes.baseAddress else { return }
        var target = TLPlanes()
        let (luma, blue, red) = (picture.plane(0), picture.plane(1), picture.plane(2))
        target.stride = (Int32(luma.stride), Int32(blue.stride), Int32(red.stride), 0)
        target.plane = (
            (planes + luma.offset + rows.lowerBound * luma.stride).octets,
            (planes + blue.offset + rows.lowerBound / 2 * blue.stride).octets,
            (planes + red.offset + rows.lowerBound / 2 * red.stride).octets, nil
        )
        let source = TLPlanes(
            plane: ((pixels + rows.lowerBound * canvas.stride).octets, nil, nil, nil),
            stride: (Int32(canvas.stride), 0, 0, 0))
        try run(context, source, rows: rows.count, target)
    }

    private typealias Planes = (VideoFrame.Plane, VideoFrame.Plane, VideoFrame.Plane)

    private mutating func convert(
        _ frame: borrowing VideoFrame, _ planes: Planes, to canvas: borrowing CanvasBuffer, at place: Int,
        size: PixelSize
    ) throws(ConversionError) {
        guard let pixels = canvas.bytes.baseAddress else { return }
        try convert(frame, planes, to: canvasFormat, pixels + place, stride: canvas.stride, size: size, flags: flags)
    }

    private mutating func map(
        _ frame: borrowing VideoFrame, _ planes: Planes, by map: ToneMap, to canvas: borrowing CanvasBuffer,
        at place: Int, size: PixelSize
    ) throws(ConversionError) {
        guard let pixels = canvas.bytes.baseAddress else { return }
        let stride = (size.width * 8 + 127) & ~63
        let middle = deep.room(for: stride * size.height)
        try convert(
            frame, planes, to: deepFormat, middle, stride: stride, size: size, flags: flags | SWS_FULL_CHR_H_INT)
        for row in 0..<size.height {
            map.map(
                (middle + row * stride).assumingMemoryBound(to: UInt16.self), count: size.width,
                to: (pixels + place + row * canvas.stride).assumingMemoryBound(to: UInt8.self))
        }
    }

    private mutating func convert(
        _ frame: borrowing VideoFrame, _ planes: Planes, to format: AVPixelFormat, _ pixels: UnsafeMutableRawPointer,
        stride: Int, size: PixelSize, flags: Int32
    ) throws(ConversionError) {
        let context = try context(
            ConversionKey(
                source: frame.format.libraryCode, sourceSize: PixelSize(width: frame.width, height: frame.height),
                isSourceFullRange: frame.isFullRange, target: format, targetSize: size, matrix: frame.matrix,
                flags: flags))
        let source = TLPlanes(
            plane: (UnsafeRawPointer(planes.0.base).octets, planes.1.base.octets, planes.2.base.octets, nil),
            stride: (Int32(planes.0.stride), Int32(planes.1.stride), Int32(planes.2.stride), 0))
        let target = TLPlanes(plane: (pixels.octets, nil, nil, nil), stride: (Int32(stride), 0, 0, 0))
        try run(context, source, rows: frame.height, target)
    }

    private func run(
        _ context: ConversionContext, _ source: TLPlanes, rows: Int, _ target: TLPlanes
    ) throws(ConversionError) {
        let code = tl_scale(context.pointer, source, Int32(rows), target)
        guard code >= 0 else { throw .failed(code) }
    }

    private var flags: Int32 {
        switch quality {
        case .fast: SWS_BILINEAR
        case .accurate: SWS_BICUBIC | SWS_ACCURATE_RND | SWS_FULL_CHR_H_INT | SWS_FULL_CHR_H_INP
        }
    }

    private mutating func context(_ key: ConversionKey) throws(ConversionError) -> ConversionContext {
        if let first = contexts.first, first.key == key { return first }
        let context: ConversionContext
        if let index = contexts.firstIndex(where: { $0.key == key }) {
            context = contexts.remove(at: index)
        } else {
            context = try key.makeContext()
            if contexts.count == Self.contextLimit { contexts.removeLast() }
        }
        contexts.insert(context, at: 0)
        return context
    }

    private mutating func takeScratch(_ size: PixelSize) -> CanvasBuffer {
        if let kept = scratch.take(), kept.width == size.width, kept.height == size.height { return kept }
        return CanvasBuffer(width: size.width, height: size.height)
    }
}

extension UnsafeRawPointer {
    fileprivate var octets: UnsafePointer<UInt8> { assumingMemoryBound(to: UInt8.self) }
}

extension UnsafeMutableRawPointer {
    fileprivate var octets: UnsafePointer<UInt8> { UnsafePointer(assumingMemoryBound(to: UInt8.self)) }
}
