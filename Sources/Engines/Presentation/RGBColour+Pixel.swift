// SPDX-License-Identifier: Apache-2.0
import Scene

extension RGBColour {
    /// The colour as a pixel of a canvas, premultiplied 0xAARRGGBB.
    func pixel(opacity: UInt8 = 255) -> UInt32 {
        let seen = over(.black, opacity: opacity)
        return UInt32(opacity) << 24 | UInt32(seen.red) << 16 | UInt32(seen.green) << 8 | UInt32(seen.blue)
    }
}
