// SPDX-License-Identifier: Apache-2.0

/// A picture for a terminal, which becomes text.
public struct TerminalPicture: Sendable {
    public let width: Int
    public let height: Int
    /// Red, green and blue of each pixel, row by row.
    public let pixels: [UInt8]

    /// - Parameter pixels: `width` * `height` * 3 octets.
    public init(width: Int, height: Int, pixels: [UInt8]) {
        precondition(width > 0 && height > 0 && pixels.count == width * height * 3)
        self.width = width
        self.height = height
        self.pixels = pixels
    }

    /// The height of a picture of this width that has the shape of a screen; even, at most 4 096.
    public static func height(of screen: (width: Int, height: Int), at width: Int) -> Int {
        let height = (screen.height * width + screen.width / 2) / max(1, screen.width)
        return min(4_096, max(2, (height + 1) & ~1))
    }

    func colour(x: Int, y: Int) -> (red: Int, green: Int, blue: Int) {
        let place = (y * width + x) * 3
        return (Int(pixels[place]), Int(pixels[place + 1]), Int(pixels[place + 2]))
    }

    /// Luma by the weights of BT.709, 0...255.
    func luma(x: Int, y: Int) -> Int {
        let (red, green, blue) = colour(x: x, y: y)
        return (2_126 * red + 7_152 * green + 722 * blue + 5_000) / 10_000
    }
}

extension TerminalPicture {
    /// From dark to bright, on a dark ground.
    private static let ramp = Array(" .:-=+*#%@".utf8)

    /// For a terminal that has neither colours nor blocks: a character for two rows of pixels, by their luma.
    public var ascii: String {
        var text: [UInt8] = []
        for y in stride(from: 0, to: height, by: 2) {
            for x in 0..<width {
                let luma = (luma(x: x, y: y) + luma(x: x, y: min(y + 1, height - 1))) / 2
                text.append(Self.ramp[luma * Self.ramp.count / 256])
            }
            text.append(10)
        }
        return String(decoding: text, as: UTF8.self)
    }
}
