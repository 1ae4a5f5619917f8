// SPDX-License-Identifier: Apache-2.0

/// A picture of 4 octets per pixel (blue, green, red, opacity) in memory of its own, laid out like a KMS dumb buffer.
public struct CanvasBuffer: ~Copyable, @unchecked Sendable {
    // Sendable: it is the only owner of its memory.
    public let width: Int
    public let height: Int
    public let stride: Int
    public let bytes: UnsafeMutableRawBufferPointer

    /// - Parameters: width, height: pixels, 1...16 384.
    public init(width: Int, height: Int) {
        precondition((1...16_384).contains(width) && (1...16_384).contains(height))
        self.width = width
        self.height = height
        stride = (width * 4 + 63) & ~63
        bytes = .allocate(byteCount: stride * height, alignment: 64)
        bytes.initializeMemory(as: SIMD64<UInt8>.self, repeating: .zero)  // octet by octet is slow in a debug build
    }

    deinit { bytes.deallocate() }

    public func fill(blue: UInt8, green: UInt8, red: UInt8) {
        let pixel = UInt32(red) << 16 | UInt32(green) << 8 | UInt32(blue)
        bytes.withMemoryRebound(to: SIMD16<UInt32>.self) { $0.update(repeating: SIMD16(repeating: pixel.littleEndian)) }
    }

    public func copyTo(_ other: borrowing CanvasBuffer) {
        precondition(other.width == width && other.height == height)
        other.bytes.copyMemory(from: UnsafeRawBufferPointer(bytes))
    }

    /// Compares whole rows, without an early exit inside a row, so that the loop is compiled to vector code.
    public func isEqual(to other: borrowing CanvasBuffer) -> Bool {
        guard other.width == width, other.height == height else { return false }
        let (one, two) = (bytes.bindMemory(to: UInt64.self), other.bytes.bindMemory(to: UInt64.self))
        let words = stride / 8
        for row in 0..<height {
            var difference: UInt64 = 0
            for index in row * words..<(row + 1) * words { difference |= one[index] ^ two[index] }
            guard difference == 0 else { return false }
        }
        return true
    }
}
