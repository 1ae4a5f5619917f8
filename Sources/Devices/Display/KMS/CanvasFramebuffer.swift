// SPDX-License-Identifier: Apache-2.0
import Media
import Scene

/// A dumb buffer for the canvas, black at first. One framebuffer on it ignores opacity; if a plane blends, a second one
/// uses it.
final class CanvasFramebuffer: ScanoutBuffer {
    let size: PixelSize
    private let opaque: Framebuffer
    private let blended: Framebuffer?
    private let buffer: DumbBuffer

    /// - Parameter buffer: 32 bits per pixel, of at least this size.
    init(
        _ size: PixelSize, _ buffer: consuming DumbBuffer, opaque: consuming Framebuffer,
        blended: consuming Framebuffer?
    ) {
        precondition(buffer.pitch >= size.width * 4 && buffer.memory.count >= buffer.pitch * size.height)
        buffer.memory.initializeMemory(as: UInt8.self, repeating: 0)
        self.size = size
        self.opaque = opaque
        self.blended = blended
        self.buffer = buffer
    }

    var framebuffer: UInt32 { opaque.id }

    var blendedFramebuffer: UInt32 {
        switch blended {
        case .some(let framebuffer): framebuffer.id
        case .none: 0
        }
    }

    /// Copies the canvas, rotated and cropped to this size, into the middle.
    /// - Parameter hole: area where the canvas's opacities count; elsewhere it is written as opaque. nil copies the
    ///   canvas as it is, for a framebuffer that ignores opacity. It is nil for a canvas that is rotated.
    func write(
        _ canvas: borrowing CanvasBuffer, mounted mounting: ScreenMounting = ScreenMounting(),
        hole: PixelRectangle? = nil
    ) {
        let (part, area) = mounting.share(of: PixelSize(width: canvas.width, height: canvas.height), on: size)
        let (memory, pitch) = (buffer.memory, buffer.pitch)
        guard let base = memory.baseAddress, let pixels = canvas.bytes.baseAddress else { return }
        guard mounting.rotation == .upright else {
            return Turning.copy(
                (UnsafeRawPointer(pixels) + part.y * canvas.stride + part.x * 4).assumingMemoryBound(to: UInt32.self),
                stride: canvas.stride / 4, size: part.size, turned: mounting.rotation,
                to: (base + area.y * pitch + area.x * 4).assumingMemoryBound(to: UInt32.self), stride: pitch / 4)
        }
        let (width, fromLeft, fromTop) = (part.size.width, part.x, part.y)
        for row in 0..<part.size.height {
            let target = (area.y + row) * pitch + area.x * 4
            let source = (fromTop + row) * canvas.stride + fromLeft * 4
            guard let hole else {
                UnsafeMutableRawBufferPointer(rebasing: memory[target..<target + width * 4])
                    .copyMemory(from: UnsafeRawBufferPointer(rebasing: canvas.bytes[source..<source + width * 4]))
                continue
            }
            let isBeside = fromTop + row < hole.y || fromTop + row >= hole.y + hole.size.height
            let clear = isBeside ? 0..<0 : hole.columns(from: fromLeft, count: width)
            let to = (base + target).assumingMemoryBound(to: UInt32.self)
            let from = UnsafeRawPointer(pixels + source).assumingMemoryBound(to: UInt32.self)
            for column in 0..<clear.lowerBound { to[column] = from[column] | 0xff00_0000 }
            (to + clear.lowerBound).update(from: from + clear.lowerBound, count: clear.count)
            for column in clear.upperBound..<width { to[column] = from[column] | 0xff00_0000 }
        }
    }

    /// The four octets of the pixel in the upper left corner: blue, green, red, and one that is opacity or ignored.
    var firstPixel: [UInt8] { Array(buffer.memory.prefix(4)) }
}

extension KMSDevice {
    /// Makes a black buffer of 32 bits a pixel for the canvas.
    func makeCanvasFramebuffer(_ size: PixelSize) throws(DisplayError) -> CanvasFramebuffer {
        let buffer = try makeDumbBuffer(size, bitsPerPixel: 32)
        let (handle, pitch) = (buffer.handle, UInt32(buffer.pitch))
        var picture = SharedPicture(
            width: size.width, height: size.height, fourCC: KMSPlane.xrgb8888, modifier: nil,
            planes: [.init(descriptor: -1, offset: 0, pitch: pitch)])
        let opaque = try addFramebuffer(picture, handles: [handle])
        picture.fourCC = KMSPlane.argb8888
        return CanvasFramebuffer(size, buffer, opaque: opaque, blended: blendedFramebuffer(picture, handle))
    }

    /// - Returns: nil if no plane blends or the card refuses; videos then get no plane of their own.
    private func blendedFramebuffer(_ picture: SharedPicture, _ handle: UInt32) -> Framebuffer? {
        guard planes.contains(where: \.blendsPremultiplied) else { return nil }
        do throws(DisplayError) {
            return try addFramebuffer(picture, handles: [handle])
        } catch {
            return nil
        }
    }
}

extension PixelRectangle {
    /// The rectangle's columns within `first..<first + count`, counted from `first`; an empty range at one end if there
    /// are none.
    fileprivate func columns(from first: Int, count: Int) -> Range<Int> {
        let low = max(0, min(count, x - first))
        return low..<max(low, min(count, x + size.width - first))
    }
}
