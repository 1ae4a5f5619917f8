// SPDX-License-Identifier: Apache-2.0

/// A picture for an encoder, in memory of its own: three planes of YUV 4:2:0 with 8 bits and limited range.
public struct PictureBuffer: ~Copyable, @unchecked Sendable {
    // Sendable: it is the only owner of its memory.
    public let width: Int
    public let height: Int
    /// Octets from one row to the next, for each plane.
    public let strides: (Int, Int, Int)
    public let bytes: UnsafeMutableRawBufferPointer
    private let offsets: (Int, Int, Int)

    /// - Parameters: width, height: pixels, even, 2...16 384.
    public init(width: Int, height: Int) {
        precondition((2...16_384).contains(width) && (2...16_384).contains(height) && width % 2 == 0 && height % 2 == 0)
        self.width = width
        self.height = height
        let luma = (width + 63) & ~63
        let chroma = (width / 2 + 63) & ~63
        strides = (luma, chroma, chroma)
        offsets = (0, luma * height, luma * height + chroma * height / 2)
        bytes = .allocate(byteCount: luma * height + chroma * height, alignment: 64)
        bytes.initializeMemory(as: UInt8.self, repeating: 0)
    }

    deinit { bytes.deallocate() }

    /// The layout of plane `index` (0...2): its offset in `bytes`, its stride, and its size in samples.
    public func plane(_ index: Int) -> (offset: Int, stride: Int, width: Int, height: Int) {
        switch index {
        case 0: (offsets.0, strides.0, width, height)
        case 1: (offsets.1, strides.1, width / 2, height / 2)
        default: (offsets.2, strides.2, width / 2, height / 2)
        }
    }

    /// Copies the rows of a plane.
    /// - Parameter target: room for the plane's rows at `stride` octets, which is at least the plane's width.
    public func copyPlane(_ index: Int, to target: UnsafeMutableRawPointer, stride: Int) {
        let source = plane(index)
        precondition(stride >= source.width)
        for row in 0..<source.height {
            let start = source.offset + row * source.stride
            UnsafeMutableRawBufferPointer(start: target + row * stride, count: source.width)
                .copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes[start..<start + source.width]))
        }
    }
}
