// SPDX-License-Identifier: Apache-2.0

/// A picture of three planes, chroma halved both ways (YUV 4:2:0, 8 bits, limited range) in own memory: what an
/// encoder takes.
public struct PictureBuffer: ~Copyable, @unchecked Sendable {
    // Sendable: owns its memory alone.
    public let width: Int
    public let height: Int
    /// Octets from a row to the next, of each plane.
    public let strides: (Int, Int, Int)
    public let bytes: UnsafeMutableRawBufferPointer
    private let offsets: (Int, Int, Int)

    /// - Parameters: width, height: even, 2...16 384.
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

    /// Rows and octets of a row that hold pixels, and where the plane begins in `bytes`; `index` 0...2.
    public func plane(_ index: Int) -> (offset: Int, stride: Int, width: Int, height: Int) {
        switch index {
        case 0: (offsets.0, strides.0, width, height)
        case 1: (offsets.1, strides.1, width / 2, height / 2)
        default: (offsets.2, strides.2, width / 2, height / 2)
        }
    }

    /// - Parameter target: room for the plane's rows at `stride` octets, at least the plane's width.
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
