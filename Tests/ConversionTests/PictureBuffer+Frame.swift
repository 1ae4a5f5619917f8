// SPDX-License-Identifier: Apache-2.0
import Media

extension PictureBuffer {
    func fill(_ yuv: (UInt8, UInt8, UInt8)) {
        for (index, value) in [yuv.0, yuv.1, yuv.2].enumerated() {
            let (offset, stride, _, height) = plane(index)
            for octet in offset..<offset + stride * height { bytes[octet] = value }
        }
    }

    /// Lends the picture as a decoded frame.
    func withFrame(
        matrix: VideoFrame.Matrix = .bt709, isFullRange: Bool = false, _ body: (borrowing VideoFrame) throws -> Void
    ) rethrows {
        guard let base = bytes.baseAddress.map({ UnsafeRawPointer($0) }) else { return }
        let planes = [plane(0), plane(1), plane(2)].map { VideoFrame.Plane(base: base + $0.offset, stride: $0.stride) }
        let frame = VideoFrame(
            format: .yuv420p, width: width, height: height, pixelAspect: (1, 1), matrix: matrix,
            isFullRange: isFullRange, planes: (planes[0], planes[1], planes[2]), pts: 0, isDamaged: false,
            owner: UnsafeMutableRawPointer(mutating: base), giveBack: { _ in })
        try body(frame)
    }
}

extension CanvasBuffer {
    func pixel(_ x: Int, _ y: Int) -> (red: Int, green: Int, blue: Int) {
        let start = y * stride + x * 4
        return (Int(bytes[start + 2]), Int(bytes[start + 1]), Int(bytes[start]))
    }
}
