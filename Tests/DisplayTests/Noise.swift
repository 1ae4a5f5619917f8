// SPDX-License-Identifier: Apache-2.0
import Conversion
import Media
import Scene
import TestSupport

@testable import Display

/// A picture whose samples are in no order, and the same in every format, range and matrix. Quick to make, for an
/// emulated machine: each row is the first one turned.
struct Noise {
    let size: PixelSize
    // Each twice as long as a row.
    private let luma: [UInt8]
    private let blue: [UInt8]
    private let red: [UInt8]
    private let pairs: [UInt8]
    private let redFirst: [UInt8]
    // Of 10 bits, the lowest two of which are 0.
    private let deepLuma: [UInt8]
    private let deepPairs: [UInt8]
    private let wideBlue: [UInt8]
    private let wideRed: [UInt8]

    /// - Parameter size: even.
    init(_ size: PixelSize, seed: UInt64) {
        self.size = size
        var random = SplitMix64(seed: seed)
        // What is a colour in all ranges and matrices, for the most part.
        func row(_ count: Int, _ range: ClosedRange<UInt8>) -> [UInt8] {
            let one = (0..<count).map { _ in UInt8.random(in: range, using: &random) }
            return one + one
        }
        luma = row(size.width, 90...170)
        blue = row(size.width / 2, 48...208)
        red = row(size.width / 2, 48...208)
        pairs = zip(blue, red).flatMap { [$0, $1] }
        redFirst = zip(red, blue).flatMap { [$0, $1] }
        deepLuma = luma.flatMap { [0, $0] }
        deepPairs = pairs.flatMap { [0, $0] }
        wideBlue = blue.flatMap { [$0, $0] }
        wideRed = red.flatMap { [$0, $0] }
    }

    /// - Parameters:
    ///   - memory: of a picture of `height` rows of luma, and its chroma.
    ///   - format: of one that planes take; nil: chroma has as many samples as luma, each of them four times.
    ///   - left, top: of the picture there; even.
    func write(
        to memory: UnsafeMutableRawPointer, _ format: VideoFrame.PixelFormat?, pitch: Int, height: Int, left: Int = 0,
        top: Int = 0
    ) {
        func copy(_ row: [UInt8], from start: Int, count: Int, to place: Int) {
            row.withUnsafeBytes {
                UnsafeMutableRawBufferPointer(start: memory + place, count: count)
                    .copyMemory(from: UnsafeRawBufferPointer(rebasing: $0[start..<start + count]))
            }
        }
        let octets = format?.sampleOctets ?? 1
        let (width, margin) = (size.width * octets, left * octets)
        for y in 0..<size.height {
            copy(
                octets == 1 ? luma : deepLuma, from: y * 37 % size.width * octets, count: width,
                to: (top + y) * pitch + margin)
            let turn = (y / 2) * 19 % (size.width / 2)
            guard let format else {
                copy(wideBlue, from: turn * 2, count: size.width, to: (height + top + y) * pitch + left)
                copy(wideRed, from: turn * 2, count: size.width, to: (height * 2 + top + y) * pitch + left)
                continue
            }
            guard y % 2 == 0 else { continue }
            let layout = format.layout(pitch: pitch, height: height)
            let row = (top + y) / 2
            if format.planeCount == 2 {
                let chroma = format == .nv12 ? pairs : format == .nv21 ? redFirst : deepPairs
                copy(
                    chroma, from: turn * 2 * octets, count: width, to: layout[1].offset + row * layout[1].pitch + margin
                )
                continue
            }
            for (samples, plane) in [(blue, layout[1]), (red, layout[2])] {
                copy(samples, from: turn, count: size.width / 2, to: plane.offset + row * plane.pitch + left / 2)
            }
        }
    }

    /// In memory of the processor.
    func withFrame<Result>(
        _ format: VideoFrame.PixelFormat?, _ matrix: VideoFrame.Matrix, isFullRange: Bool,
        _ body: (borrowing VideoFrame) throws -> Result
    ) rethrows -> Result {
        let (pitch, rows) = (size.width * (format?.sampleOctets ?? 1), size.height)
        let memory = UnsafeMutableRawPointer.allocate(byteCount: pitch * rows * 3, alignment: 64)
        write(to: memory, format, pitch: pitch, height: rows)
        let layout =
            format?.layout(pitch: pitch, height: rows)
            ?? [(0, pitch), (pitch * rows, pitch), (pitch * rows * 2, pitch)]
        let planes = layout.map { VideoFrame.Plane(base: memory + $0.offset, stride: $0.pitch) }
        let frame = VideoFrame(
            format: format ?? .yuv444p, width: size.width, height: size.height, pixelAspect: (1, 1), matrix: matrix,
            isFullRange: isFullRange, planes: (planes[0], planes[1], planes[planes.count - 1]), pts: 0,
            isDamaged: false, owner: memory, giveBack: { $0.deallocate() })
        return try body(frame)
    }

    /// As libswscale converts it, with each sample of chroma where it is and nothing between them made up.
    func converted(_ matrix: VideoFrame.Matrix, isFullRange: Bool) throws -> Surface {
        let surface = Surface(size.width, size.height)
        var converter = VideoConverter(quality: .accurate)
        try withFrame(nil, matrix, isFullRange: isFullRange) { frame in
            try converter.draw(frame, in: PixelRectangle(x: 0, y: 0, size: size), of: surface.canvas)
        }
        return surface
    }
}
