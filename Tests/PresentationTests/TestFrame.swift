// SPDX-License-Identifier: Apache-2.0
import Media
import Scene

/// Pictures made for tests. Their memory goes with them.
enum TestFrame {
    /// Lighter to the right and below, its hue by `seed`; nowhere black. `pts` is the seed.
    static func make(
        _ seed: Int64, _ size: PixelSize, pixelAspect: (width: Int, height: Int) = (1, 1),
        fields: VideoFrame.FieldOrder = .progressive
    ) -> VideoFrame {
        make(size, pts: seed, pixelAspect: pixelAspect, fields: fields) { plane, x, y in
            let hue = Int(seed)
            switch plane {
            case 0:
                let light = x * 3 + y * 5 + hue * 17
                return UInt8(60 + light % 170)
            case 1:
                let blue = hue * 37 + x
                return UInt8(64 + blue % 128)
            default:
                let red = hue * 71 + y
                return UInt8(64 + red % 128)
            }
        }
    }

    /// All of one grey.
    static func grey(_ luma: UInt8, _ size: PixelSize, pts: Int64 = 0) -> VideoFrame {
        make(size, pts: pts, pixelAspect: (1, 1), fields: .progressive) { plane, _, _ in plane == 0 ? luma : 128 }
    }

    static func make(
        _ size: PixelSize, pts: Int64, pixelAspect: (width: Int, height: Int), fields: VideoFrame.FieldOrder,
        _ sample: (_ plane: Int, _ x: Int, _ y: Int) -> UInt8
    ) -> VideoFrame {
        let (width, height) = (size.width, size.height)
        let half = PixelSize(width: (width + 1) / 2, height: (height + 1) / 2)
        let (stride, halfStride) = ((width + 63) & ~31, (half.width + 63) & ~31)
        let memory = UnsafeMutableRawPointer.allocate(
            byteCount: stride * height + halfStride * half.height * 2 + 64, alignment: 64)
        let octets = memory.assumingMemoryBound(to: UInt8.self)
        let bases = (0, stride * height, stride * height + halfStride * half.height)
        octets.initialize(repeating: 0, count: stride * height + halfStride * half.height * 2 + 64)
        for y in 0..<height { for x in 0..<width { octets[y * stride + x] = sample(0, x, y) } }
        for y in 0..<half.height {
            for x in 0..<half.width {
                octets[bases.1 + y * halfStride + x] = sample(1, x, y)
                octets[bases.2 + y * halfStride + x] = sample(2, x, y)
            }
        }
        return VideoFrame(
            format: .yuv420p, width: width, height: height, pixelAspect: pixelAspect, matrix: .bt709,
            isFullRange: false, fields: fields,
            planes: (
                .init(base: memory, stride: stride), .init(base: memory + bases.1, stride: halfStride),
                .init(base: memory + bases.2, stride: halfStride)
            ), pts: pts, isDamaged: false, owner: memory, giveBack: { $0.deallocate() })
    }
}
