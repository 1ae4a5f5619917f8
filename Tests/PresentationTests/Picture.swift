// SPDX-License-Identifier: Apache-2.0
import Media
import Scene

/// Pixels as 0x00RRGGBB, row by row: what tests compare.
struct Picture: Equatable {
    let size: PixelSize
    var pixels: [UInt32]

    init(size: PixelSize, colour: UInt32) {
        self.size = size
        pixels = Array(repeating: colour, count: size.width * size.height)
    }

    init(_ canvas: borrowing CanvasBuffer) {
        size = PixelSize(width: canvas.width, height: canvas.height)
        pixels = Array(repeating: 0, count: canvas.width * canvas.height)
        for row in 0..<canvas.height {
            let line = UnsafeRawBufferPointer(rebasing: canvas.bytes[(row * canvas.stride)...].prefix(canvas.width * 4))
            line.withMemoryRebound(to: UInt32.self) { words in
                for column in 0..<size.width { pixels[row * size.width + column] = words[column] & 0xff_ffff }
            }
        }
    }

    /// As a card does that shows one plane under another.
    /// - Parameter front: this picture, with its opacity.
    mutating func put(_ other: borrowing CanvasBuffer, under front: borrowing CanvasBuffer, in area: PixelRectangle) {
        for y in area.y..<area.bottom {
            for x in area.x..<area.right {
                let place = y * front.stride + x * 4
                let rest = 255 - Int(front.bytes[place + 3])
                var pixel: UInt32 = 0
                for channel in 0..<3 {
                    let below = (Int(other.bytes[y * other.stride + x * 4 + channel]) * rest + 127) / 255
                    pixel |= UInt32(min(255, Int(front.bytes[place + channel]) + below)) << UInt32(8 * channel)
                }
                self[x, y] = pixel
            }
        }
    }

    /// Of any channel anywhere; 255 when the sizes differ.
    func largestDifference(from other: Picture) -> Int {
        guard size == other.size else { return 255 }
        var largest = 0
        for (one, two) in zip(pixels, other.pixels) where one != two {
            for shift: UInt32 in [0, 8, 16] {
                largest = max(largest, abs(Int(one >> shift & 0xff) - Int(two >> shift & 0xff)))
            }
        }
        return largest
    }

    subscript(x: Int, y: Int) -> UInt32 {
        get { pixels[y * size.width + x] }
        set { pixels[y * size.width + x] = newValue }
    }

    /// Where they differ first, for messages.
    func difference(from other: Picture) -> String? {
        guard size == other.size else { return "\(size) instead of \(other.size)" }
        guard pixels != other.pixels, let index = pixels.indices.first(where: { pixels[$0] != other.pixels[$0] }) else {
            return nil
        }
        let count = pixels.indices.count { pixels[$0] != other.pixels[$0] }
        let (here, there) = (String(pixels[index], radix: 16), String(other.pixels[index], radix: 16))
        return "\(count) pixels; (\(index % size.width), \(index / size.width)) is \(here) instead of \(there)"
    }

    var isBlack: Bool {
        pixels.allSatisfy { $0 & 0xff < 16 && $0 >> 8 & 0xff < 16 && $0 >> 16 & 0xff < 16 }
    }
}
