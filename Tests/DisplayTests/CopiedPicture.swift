// SPDX-License-Identifier: Apache-2.0
import Conversion
import Media
import Scene

@testable import Display

/// The samples of a picture of NV12 in memory of the processor.
struct CopiedPicture {
    let size: PixelSize
    let matrix: VideoFrame.Matrix
    let isFullRange: Bool
    /// Rows of luma, then of chroma, without gaps.
    let samples: [UInt8]

    /// - Parameter frame: of an even size.
    init(_ frame: borrowing VideoFrame) {
        (size, matrix, isFullRange) = (
            PixelSize(width: frame.width, height: frame.height), frame.matrix, frame.isFullRange
        )
        let planes = frame.planes
        var samples: [UInt8] = []
        for (plane, rows) in [(planes.0, frame.height), (planes.1, frame.height / 2)] {
            for row in 0..<rows {
                samples += UnsafeRawBufferPointer(start: plane.base + row * plane.stride, count: frame.width)
            }
        }
        self.samples = samples
    }

    /// The same, maybe said to be of another matrix and range.
    func withFrame<Result>(
        _ matrix: VideoFrame.Matrix? = nil, isFullRange: Bool? = nil, _ body: (borrowing VideoFrame) throws -> Result
    ) rethrows -> Result {
        let memory = Self.memory(of: samples)
        let luma = VideoFrame.Plane(base: memory, stride: size.width)
        let chroma = VideoFrame.Plane(base: memory + size.width * size.height, stride: size.width)
        let frame = VideoFrame(
            format: .nv12, width: size.width, height: size.height, pixelAspect: (1, 1), matrix: matrix ?? self.matrix,
            isFullRange: isFullRange ?? self.isFullRange, planes: (luma, chroma, chroma), pts: 0, isDamaged: false,
            owner: memory, giveBack: { $0.deallocate() })
        return try body(frame)
    }

    /// As libswscale converts it, with each sample of chroma where it is and nothing between them made up.
    /// - Parameter crop: even.
    /// - Returns: said to be of each of these matrices and ranges.
    func converted(
        _ crop: PixelRectangle, _ colours: [(matrix: VideoFrame.Matrix, isFullRange: Bool)]
    ) throws -> [Surface] {
        let (width, luma) = (size.width, size.width * size.height)
        var (blue, red): ([UInt8], [UInt8]) = ([], [])
        for row in 0..<size.height {
            let start = luma + row / 2 * width
            for column in stride(from: start, to: start + width, by: 2) {
                blue += [samples[column], samples[column]]
                red += [samples[column + 1], samples[column + 1]]
            }
        }
        let all = samples[..<luma] + blue + red
        return try colours.map { colour in
            let memory = Self.memory(of: all)
            let planes = (0..<3).map { VideoFrame.Plane(base: memory + $0 * luma, stride: width) }
            let frame = VideoFrame(
                format: .yuv444p, width: width, height: size.height, pixelAspect: (1, 1), matrix: colour.matrix,
                isFullRange: colour.isFullRange, planes: (planes[0], planes[1], planes[2]), pts: 0, isDamaged: false,
                owner: memory, giveBack: { $0.deallocate() })
            let surface = Surface(crop.size.width, crop.size.height)
            var converter = VideoConverter(quality: .accurate)
            try converter.draw(frame, crop: crop, in: PixelRectangle(x: 0, y: 0, size: crop.size), of: surface.canvas)
            return surface
        }
    }

    private static func memory<Octets: Collection<UInt8>>(of octets: Octets) -> UnsafeMutableRawPointer {
        let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: octets.count + 64, alignment: 64)
        guard let base = memory.baseAddress else { preconditionFailure("allocated nothing") }
        memory.copyBytes(from: octets)
        return base
    }
}
