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
