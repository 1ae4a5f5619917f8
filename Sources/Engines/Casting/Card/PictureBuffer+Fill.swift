// SPDX-License-Identifier: Apache-2.0
import Media

extension PictureBuffer {
    /// Fills a rectangle of the luma plane, clipped to the picture.
    func fillLuma(x: Int, y: Int, width: Int, height: Int, _ value: UInt8) {
        let luma = plane(0)
        let columns = max(0, x)..<max(0, x, min(self.width, x + width))
        for row in max(0, y)..<max(0, y, min(self.height, y + height)) {
            let start = luma.offset + row * luma.stride
            UnsafeMutableRawBufferPointer(rebasing: bytes[start + columns.lowerBound..<start + columns.upperBound])
                .initializeMemory(as: UInt8.self, repeating: value)
        }
    }
}
