// SPDX-License-Identifier: Apache-2.0
import Glibc
import Media
import Scene

extension TestPicture {
    /// Its first three samples of luma are the number's octets, the lowest first.
    static func numbered(_ number: Int, _ size: PixelSize, _ matrix: VideoFrame.Matrix = .bt709) -> VideoFrame {
        let octets = size.width * size.height
        let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: octets * 2, alignment: 16)
        guard let base = memory.baseAddress else { preconditionFailure("a picture of no memory") }
        memset(base, 128, octets * 2)
        for index in 0..<3 { memory[index] = UInt8(truncatingIfNeeded: number >> (8 * index)) }
        return VideoFrame(
            format: .yuv420p, width: size.width, height: size.height, pixelAspect: (1, 1), matrix: matrix,
            isFullRange: false,
            planes: (
                .init(base: base, stride: size.width), .init(base: base + octets, stride: size.width / 2),
                .init(base: base + octets + octets / 4, stride: size.width / 2)
            ), pts: 0, isDamaged: false, owner: base, giveBack: { $0.deallocate() })
    }
}
