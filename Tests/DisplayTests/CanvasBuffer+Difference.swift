// SPDX-License-Identifier: Apache-2.0
import Media
import Scene

/// How far two canvases are apart: per channel, in 0...255.
struct Difference: CustomStringConvertible {
    var mean = 0.0
    var largest = 0
    /// Of the largest.
    var place = (x: 0, y: 0)

    var description: String { "mean \((mean * 100).rounded() / 100), largest \(largest) at \(place)" }
}

extension CanvasBuffer {
    func pixel(_ x: Int, _ y: Int) -> (red: Int, green: Int, blue: Int) {
        let start = y * stride + x * 4
        return (Int(bytes[start + 2]), Int(bytes[start + 1]), Int(bytes[start]))
    }

    func set(_ x: Int, _ y: Int, _ blue: Int, _ green: Int, _ red: Int, alpha: Int = 255) {
        let start = y * stride + x * 4
        for (index, value) in [blue, green, red, alpha].enumerated() { bytes[start + index] = UInt8(value) }
    }

    /// The worst channel's, over all pixels or those of `area`.
    func difference(from other: borrowing CanvasBuffer, in area: PixelRectangle? = nil) -> Difference {
        let area = area ?? PixelRectangle(x: 0, y: 0, size: PixelSize(width: width, height: height))
        var sums = (0, 0, 0)
        var result = Difference()
        for y in area.y..<area.y + area.size.height {
            for x in area.x..<area.x + area.size.width {
                let start = y * stride + x * 4
                let there = y * other.stride + x * 4
                let blue = abs(Int(bytes[start]) - Int(other.bytes[there]))
                let green = abs(Int(bytes[start + 1]) - Int(other.bytes[there + 1]))
                let red = abs(Int(bytes[start + 2]) - Int(other.bytes[there + 2]))
                sums = (sums.0 + blue, sums.1 + green, sums.2 + red)
                if max(blue, green, red) > result.largest {
                    result.largest = max(blue, green, red)
                    result.place = (x, y)
                }
            }
        }
        result.mean = Double(max(sums.0, sums.1, sums.2)) / Double(area.size.width * area.size.height)
        return result
    }
}
