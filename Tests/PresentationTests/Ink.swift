// SPDX-License-Identifier: Apache-2.0
import Media

/// What a picture's octets say.
struct Ink {
    var most: UInt8 = 0
    var isPremultiplied = true
    /// Pixels of the accent's colour in the left and the right half.
    var accents = (left: 0, right: 0)

    init(of canvas: borrowing CanvasBuffer) {
        for y in 0..<canvas.height {
            for x in 0..<canvas.width {
                let pixel = y * canvas.stride + x * 4
                let octets = canvas.bytes[pixel..<pixel + 4]
                let (blue, green, red, opacity) = (
                    octets[pixel], octets[pixel + 1], octets[pixel + 2], octets[pixel + 3]
                )
                most = max(most, opacity)
                isPremultiplied = isPremultiplied && max(blue, green, red) <= opacity
                guard blue > 200, red < 120, green < 190 else { continue }
                if x < canvas.width / 2 { accents.left += 1 } else { accents.right += 1 }
            }
        }
    }
}
