// SPDX-License-Identifier: Apache-2.0
import Media
import Scene

/// A video's picture where a plane can show it. Given back with the last who holds it.
final class VideoFramebuffer {
    let format: VideoFrame.PixelFormat
    /// Even both assignment.
    let size: PixelSize
    /// What the card knows it by.
    let framebuffer: UInt32
    private let layout: [(offset: Int, pitch: Int)]
    private let memory: UnsafeMutableRawBufferPointer
    private let giveBack: () -> Void

    /// - Parameters:
    ///   - pitch: octets of a row of luma; even.
    ///   - memory: at least `octets` for this.
    init(
        _ format: VideoFrame.PixelFormat, _ size: PixelSize, framebuffer: UInt32, pitch: Int,
        memory: UnsafeMutableRawBufferPointer, giveBack: @escaping () -> Void
    ) {
        precondition(pitch >= size.width && memory.count >= Self.octets(pitch: pitch, height: size.height))
        self.format = format
        self.size = size
        self.framebuffer = framebuffer
        self.memory = memory
        self.giveBack = giveBack
        layout = format.layout(pitch: pitch, height: size.height)
        memory.initializeMemory(as: UInt8.self, repeating: 128)
        UnsafeMutableRawBufferPointer(rebasing: memory.prefix(pitch * size.height))
            .initializeMemory(as: UInt8.self, repeating: 16)
    }

    deinit { giveBack() }

    static func octets(pitch: Int, height: Int) -> Int { pitch * height * 3 / 2 }

    /// - Parameter picture: that can be copied as this format, at most `size`.
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
        guard let base = memory.baseAddress else { preconditionFailure("a picture of no memory") }
        return (base + layout[plane].offset + row * layout[plane].pitch).assumingMemoryBound(to: UInt8.self)
    }
}

extension VideoFrame.Plane {
    fileprivate func row(_ row: Int) -> UnsafePointer<UInt8> {
        (base + row * stride).assumingMemoryBound(to: UInt8.self)
    }
}
