// SPDX-License-Identifier: Apache-2.0
import Media
import Scene
import TestSupport
import Testing

@testable import Conversion

/// The planes of a picture, filled with what `seed` says.
private func noise(
    _ format: VideoFrame.PixelFormat, _ size: PixelSize, seed: UInt64
) -> (memory: [UInt8], strides: [Int], offsets: [Int]) {
    var random = SplitMix64(seed: seed)
    var (strides, offsets, count) = ([Int](), [Int](), 0)
    for plane in 0..<3 {
        let extent = format.extent(ofPlane: plane, width: size.width, height: size.height)
        strides.append((extent.octets + 127) & ~63)
        offsets.append(count)
        count += (extent.octets + 127) & ~63 * max(1, extent.rows)
    }
    // The high octets of words say no more than 10 bits do.
    let highest: UInt8 = format.sampleOctets == 2 ? 3 : 255
    let memory = (0..<count + 64).map { UInt8.random(in: 0...($0 % 2 == 0 ? 255 : highest), using: &random) }
    return (memory, strides, offsets)
}

@Suite struct PlacementTests {
    private static func rectangle(_ x: Int, _ y: Int, _ width: Int, _ height: Int) -> PixelRectangle {
        PixelRectangle(x: x, y: y, size: PixelSize(width: width, height: height))
    }

    /// A part of a picture is drawn as a picture of that part would be.
    @Test(arguments: VideoFrame.PixelFormat.allCases)
    func crops(format: VideoFrame.PixelFormat) throws {
        let size = PixelSize(width: 96, height: 64)
        let crop = Self.rectangle(18, 10, 48, 32)
        let whole = noise(format, size, seed: 3)
        var part = noise(format, crop.size, seed: 4)
        for plane in 0..<format.planeCount {
            let from = format.extent(ofPlane: plane, width: crop.x, height: crop.y)
            let extent = format.extent(ofPlane: plane, width: crop.size.width, height: crop.size.height)
            for row in 0..<extent.rows {
                for octet in 0..<extent.octets {
                    part.memory[part.offsets[plane] + row * part.strides[plane] + octet] =
                        whole.memory[
                            whole.offsets[plane] + (from.rows + row) * whole.strides[plane] + from.octets + octet]
                }
            }
        }
        let cropped = CanvasBuffer(width: 80, height: 50)
        let alone = CanvasBuffer(width: 80, height: 50)
        var converter = VideoConverter()
        let place = Self.rectangle(3, 5, 71, 41)
        try withFrame(whole, format, size) { try converter.draw($0, crop: crop, in: place, of: cropped) }
        try withFrame(part, format, crop.size) { try converter.draw($0, in: place, of: alone) }
        #expect(cropped.bytes.elementsEqual(alone.bytes))
    }

    @Test(arguments: QuarterTurn.allCases, [PixelSize(width: 70, height: 33), PixelSize(width: 64, height: 96)])
    func turns(rotation: QuarterTurn, size: PixelSize) throws {
        let picture = noise(.yuv444p, size, seed: 9)
        let turned = rotation.isSideways ? PixelSize(width: size.height, height: size.width) : size
        let canvas = CanvasBuffer(width: turned.width + 9, height: turned.height + 7)
        let upright = CanvasBuffer(width: size.width, height: size.height)
        canvas.fill(blue: 1, green: 2, red: 3)
        var converter = VideoConverter()
        let place = PixelRectangle(x: 4, y: 2, size: turned)
        try withFrame(picture, .yuv444p, size) { frame in
            try converter.draw(frame, rotation: rotation, in: place, of: canvas)
            try converter.draw(frame, in: PixelRectangle(x: 0, y: 0, size: size), of: upright)
        }
        for y in 0..<canvas.height {
            for x in 0..<canvas.width {
                let (inX, inY) = (x - place.x, y - place.y)
                guard (0..<turned.width).contains(inX), (0..<turned.height).contains(inY) else {
                    #expect(canvas.pixel(x, y) == (3, 2, 1))
                    continue
                }
                let (fromX, fromY) =
                    switch rotation {
                    case .upright: (inX, inY)
                    case .quarter: (inY, size.height - 1 - inX)
                    case .half: (size.width - 1 - inX, size.height - 1 - inY)
                    case .threeQuarters: (size.width - 1 - inY, inX)
                    }
                #expect(canvas.pixel(x, y) == upright.pixel(fromX, fromY))
            }
        }
    }

    private func withFrame(
        _ picture: (memory: [UInt8], strides: [Int], offsets: [Int]), _ format: VideoFrame.PixelFormat,
        _ size: PixelSize, _ body: (borrowing VideoFrame) throws -> Void
    ) throws {
        try picture.memory.withUnsafeBytes { bytes in
            guard let base = bytes.baseAddress else { return }
            let planes = (0..<3).map {
                VideoFrame.Plane(base: base + picture.offsets[$0], stride: picture.strides[$0])
            }
            let frame = VideoFrame(
                format: format, width: size.width, height: size.height, pixelAspect: (1, 1), matrix: .bt709,
                isFullRange: false, planes: (planes[0], planes[1], planes[2]), pts: 0, isDamaged: false,
                owner: UnsafeMutableRawPointer(mutating: base), giveBack: { _ in })
            try body(frame)
        }
    }
}
