// SPDX-License-Identifier: Apache-2.0
import Media
import Scene

/// A dumb buffer for a video picture in YCbCr 4:2:0, black at first, which a plane can show.
final class VideoFramebuffer {
    let format: VideoFrame.PixelFormat
    /// Width and height are even.
    let size: PixelSize
    private let layout: [(offset: Int, pitch: Int)]
    private let owned: Framebuffer
    private let buffer: DumbBuffer

    /// - Parameter buffer: 8 bits per pixel; its pitch is even, and it has at least `octets(pitch:height:)` octets.
    init(
        _ format: VideoFrame.PixelFormat, _ size: PixelSize, _ buffer: consuming DumbBuffer,
        _ framebuffer: consuming Framebuffer
    ) {
        let (memory, pitch) = (buffer.memory, buffer.pitch)
        precondition(pitch >= size.width && memory.count >= Self.octets(pitch: pitch, height: size.height))
        self.format = format
        self.size = size
        layout = format.layout(pitch: pitch, height: size.height)
        memory.initializeMemory(as: UInt8.self, repeating: 128)
        UnsafeMutableRawBufferPointer(rebasing: memory.prefix(pitch * size.height))
            .initializeMemory(as: UInt8.self, repeating: 16)
        owned = framebuffer
        self.buffer = buffer
    }

    /// The framebuffer's id.
    var framebuffer: UInt32 { owned.id }

    static func octets(pitch: Int, height: Int) -> Int { pitch * height * 3 / 2 }

    /// Copies a picture into the buffer.
    /// - Parameter picture: not larger than `size`, in a format that can be copied to this one (`PixelFormat.copies`).
    func write(_ picture: borrowing VideoFrame) {
        let (width, height) = (min(picture.width, size.width), min(picture.height, size.height))
        let half = PixelSize(width: (width + 1) / 2, height: (height + 1) / 2)
        copy(picture.planes.0, to: 0, octets: width, rows: height)
        switch (picture.format, format) {
        case (.nv12, .nv12): copy(picture.planes.1, to: 1, octets: half.width * 2, rows: half.height)
        case (.nv21, .nv12):
            for row in 0..<half.height {
                let (source, target) = (picture.planes.1.row(row), self.row(row, of: 1))
                for column in 0..<half.width {
                    target[2 &* column] = source[2 &* column &+ 1]
                    target[2 &* column &+ 1] = source[2 &* column]
                }
            }
        case (.nv12, _), (.nv21, _):
            let isRedFirst = picture.format == .nv21
            for row in 0..<half.height {
                let source = picture.planes.1.row(row)
                let (first, second) = (self.row(row, of: isRedFirst ? 2 : 1), self.row(row, of: isRedFirst ? 1 : 2))
                for column in 0..<half.width {
                    first[column] = source[2 &* column]
                    second[column] = source[2 &* column &+ 1]
                }
            }
        case (_, .nv12):
            for row in 0..<half.height {
                let (blue, red) = (picture.planes.1.row(row), picture.planes.2.row(row))
                let target = self.row(row, of: 1)
                for column in 0..<half.width {
                    target[2 &* column] = blue[column]
                    target[2 &* column &+ 1] = red[column]
                }
            }
        default:
            copy(picture.planes.1, to: 1, octets: half.width, rows: half.height)
            copy(picture.planes.2, to: 2, octets: half.width, rows: half.height)
        }
    }

    private func copy(_ plane: VideoFrame.Plane, to index: Int, octets: Int, rows: Int) {
        for row in 0..<rows { self.row(row, of: index).update(from: plane.row(row), count: octets) }
    }

    private func row(_ row: Int, of plane: Int) -> UnsafeMutablePointer<UInt8> {
        guard let base = buffer.memory.baseAddress else { preconditionFailure("a dumb buffer without memory") }
        return (base + layout[plane].offset + row * layout[plane].pitch).assumingMemoryBound(to: UInt8.self)
    }
}

extension KMSDevice {
    /// Makes a black buffer for pictures, to be shown by a plane that supports the format.
    /// - Parameter size: width and height are even.
    func makeVideoFramebuffer(
        _ format: VideoFrame.PixelFormat, _ size: PixelSize
    ) throws(DisplayError) -> VideoFramebuffer {
        guard let code = format.fourCC else { throw .missing("a code of \(format)") }
        // With three planes the chroma pitch is half of luma's, and cards require it aligned.
        let width = (size.width + 127) & ~127
        let buffer = try makeDumbBuffer(PixelSize(width: width, height: size.height * 3 / 2), bitsPerPixel: 8)
        let handle = buffer.handle
        let layout = format.layout(pitch: buffer.pitch, height: size.height)
        let picture = SharedPicture(
            width: size.width, height: size.height, fourCC: code, modifier: nil,
            planes: layout.map { .init(descriptor: -1, offset: UInt32($0.offset), pitch: UInt32($0.pitch)) })
        let framebuffer = try addFramebuffer(picture, handles: layout.map { _ in handle })
        return VideoFramebuffer(format, size, buffer, framebuffer)
    }
}

extension VideoFrame.Plane {
    fileprivate func row(_ row: Int) -> UnsafePointer<UInt8> {
        (base + row * stride).assumingMemoryBound(to: UInt8.self)
    }
}
