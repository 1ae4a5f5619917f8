// SPDX-License-Identifier: Apache-2.0
internal import CLibSWScale
import Media
import Scene

/// Converts pictures to canvases and back by libswscale, scaled if the sizes differ, with each picture's own matrix and
/// range.
/// - Thread: one, which owns it. A context is made on the first use of a combination and kept.
public struct VideoConverter: ~Copyable {
    public enum Quality: Sendable, Hashable {
        /// Bilinear; unscaled, libswscale's table-driven path. A 1080p picture takes 1.1 ms.
        case fast
        /// Bicubic, exact rounding, interpolated chroma. A 1080p picture takes 8 ms.
        case accurate
    }

    private let quality: Quality
    /// Most recently used first.
    private var contexts: [ConversionContext] = []
    package var contextCount: Int { contexts.count }
    /// Holds a picture whose destination libswscale must not write to directly.
    private var detour = GrowingMemory()
    private var fields = FieldInterpolator()
    /// Holds a picture of `deepFormat` before its tone map.
    private var deep = GrowingMemory()

    private let contextLimit: Int

    /// - Parameter contextLimit: greatest number of combinations of formats and sizes that are kept.
    public init(quality: Quality = .fast, contextLimit: Int = 8) {
        self.quality = quality
        self.contextLimit = max(1, contextLimit)
    }

    /// Draws `frame` into all of `rectangle`, which lies inside the canvas; nothing outside changes. A picture of high
    /// dynamic range is mapped to the canvas's range.
    /// - Parameters:
    ///   - field: the field to show, with the other field's rows interpolated; nil shows all rows unchanged.
    ///   - crop: the part of the picture to show, with an even origin; nil shows all of it.
    ///   - rotation: applied after scaling; `rectangle` is the area of the rotated picture.
    public mutating func draw(
        _ frame: borrowing VideoFrame, field: VideoFrame.Field? = nil, crop: PixelRectangle? = nil,
        rotation: QuarterTurn = .upright, in rectangle: PixelRectangle, of canvas: borrowing CanvasBuffer
    ) throws(ConversionError) {
        let size = rectangle.size
        precondition(rectangle.x >= 0 && rectangle.y >= 0 && size.width > 0 && size.height > 0)
        precondition(rectangle.x + size.width <= canvas.width && rectangle.y + size.height <= canvas.height)
        guard let pixels = canvas.bytes.baseAddress else { return }
        let place = pixels + rectangle.y * canvas.stride + rectangle.x * 4
        let source = Source(frame, field.map { fields.planes(of: frame, $0) } ?? frame.planes, crop)
        // libswscale writes whole SIMD words, some pixels beyond an odd width. Those must not hit neighbouring pixels.
        let isSafe = frame.transfer != .sdr || size.width % 16 == 0 || rectangle.x == 0 && size.width == canvas.width
        if rotation == .upright, isSafe {
            return try paint(frame, source, Target(pixels: place, stride: canvas.stride, size: size))
        }
        let upright = rotation.isSideways ? PixelSize(width: size.height, height: size.width) : size
        let stride = (upright.width * 4 + 127) & ~63
        let scratch = detour.room(for: stride * upright.height)
        try paint(frame, source, Target(pixels: scratch, stride: stride, size: upright))
        if rotation == .upright {
            for row in 0..<size.height {
                (place + row * canvas.stride).copyMemory(from: scratch + row * stride, byteCount: size.width * 4)
            }
        } else {
            Turning.copy(
                UnsafePointer(scratch.assumingMemoryBound(to: UInt32.self)), stride: stride / 4, size: upright,
                turned: rotation, to: place.assumingMemoryBound(to: UInt32.self), stride: canvas.stride / 4)
        }
    }

    /// Converts the canvas, or some of its rows, to a picture of the same size in limited range, for an encoder.
    /// - Parameter rows: even bounds; nil converts all rows.
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

    /// The planes and the size that are read from a picture.
    private struct Source {
        let planes: (VideoFrame.Plane, VideoFrame.Plane, VideoFrame.Plane)
        let size: PixelSize

        init(
            _ frame: borrowing VideoFrame, _ planes: (VideoFrame.Plane, VideoFrame.Plane, VideoFrame.Plane),
            _ crop: PixelRectangle?
        ) {
            guard let crop, crop.size.width != frame.width || crop.size.height != frame.height else {
                self.planes = planes
                size = PixelSize(width: frame.width, height: frame.height)
                return
            }
            precondition(crop.x >= 0 && crop.y >= 0 && crop.x % 2 == 0 && crop.y % 2 == 0 && !crop.isEmpty)
            precondition(crop.right <= frame.width && crop.bottom <= frame.height)
            let format = frame.format
            self.planes = (
                planes.0.moved(by: format.extent(ofPlane: 0, width: crop.x, height: crop.y)),
                planes.1.moved(by: format.extent(ofPlane: 1, width: crop.x, height: crop.y)),
                planes.2.moved(by: format.extent(ofPlane: 2, width: crop.x, height: crop.y))
            )
            size = crop.size
        }
    }

    private struct Target {
        let pixels: UnsafeMutableRawPointer
        let stride: Int
        let size: PixelSize
    }

    private mutating func paint(
        _ frame: borrowing VideoFrame, _ source: Source, _ target: Target
    ) throws(ConversionError) {
        switch frame.transfer {
        case .sdr: try convert(frame, source, to: canvasFormat, target, flags: flags)
        case .pq: try map(frame, source, by: .pq, target)
        case .hlg: try map(frame, source, by: .hlg, target)
        }
    }

    private mutating func map(
        _ frame: borrowing VideoFrame, _ source: Source, by map: ToneMap, _ target: Target
    ) throws(ConversionError) {
        let stride = (target.size.width * 8 + 127) & ~63
        let middle = deep.room(for: stride * target.size.height)
        try convert(
            frame, source, to: deepFormat, Target(pixels: middle, stride: stride, size: target.size),
            flags: flags | SWS_FULL_CHR_H_INT)
        for row in 0..<target.size.height {
            map.map(
                (middle + row * stride).assumingMemoryBound(to: UInt16.self), count: target.size.width,
                to: (target.pixels + row * target.stride).assumingMemoryBound(to: UInt8.self))
        }
    }

    private mutating func convert(
        _ frame: borrowing VideoFrame, _ source: Source, to format: AVPixelFormat, _ target: Target, flags: Int32
    ) throws(ConversionError) {
        let context = try context(
            ConversionKey(
                source: frame.format.libraryCode, sourceSize: source.size, isSourceFullRange: frame.isFullRange,
                target: format, targetSize: target.size, matrix: frame.matrix, flags: flags))
        let planes = source.planes
        let from = TLPlanes(
            plane: (planes.0.base.octets, planes.1.base.octets, planes.2.base.octets, nil),
            stride: (Int32(planes.0.stride), Int32(planes.1.stride), Int32(planes.2.stride), 0))
        let to = TLPlanes(plane: (target.pixels.octets, nil, nil, nil), stride: (Int32(target.stride), 0, 0, 0))
        try run(context, from, rows: source.size.height, to)
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
            if contexts.count == contextLimit { contexts.removeLast() }
        }
        contexts.insert(context, at: 0)
        return context
    }
}

extension VideoFrame.Plane {
    fileprivate func moved(by extent: (octets: Int, rows: Int)) -> VideoFrame.Plane {
        VideoFrame.Plane(base: base + extent.rows * stride + extent.octets, stride: stride)
    }
}

extension UnsafeRawPointer {
    fileprivate var octets: UnsafePointer<UInt8> { assumingMemoryBound(to: UInt8.self) }
}

extension UnsafeMutableRawPointer {
    fileprivate var octets: UnsafePointer<UInt8> { UnsafePointer(assumingMemoryBound(to: UInt8.self)) }
}
