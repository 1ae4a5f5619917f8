// SPDX-License-Identifier: Apache-2.0
import Media
import Scene
import Testing

@testable import Display

/// A stage above a video, and whether what the screen is sent is both.
extension GuestScreen {
    /// What two converters may differ by, of 255: each rounds.
    static let tolerance = 2

    static let colours: [(matrix: VideoFrame.Matrix, isFullRange: Bool)] =
        [false, true].flatMap { isFull in [.bt601, .bt709, .bt2020].map { ($0, isFull) } }

    /// Clear, but for a box and a band that lets half of what is below it through.
    static func stage(_ size: PixelSize) -> Surface {
        let surface = Surface(size.width, size.height)
        func fill(_ area: PixelRectangle, _ pixel: UInt32) {
            for row in area.y..<area.bottom {
                let start = row * surface.canvas.stride + area.x * 4
                UnsafeMutableRawBufferPointer(
                    rebasing: surface.canvas.bytes[start..<start + area.size.width * 4]
                ).withMemoryRebound(to: UInt32.self) { $0.update(repeating: pixel) }
            }
        }
        fill(PixelRectangle(x: 140, y: 160, size: PixelSize(width: 160, height: 80)), 0xff20_60c0)
        fill(PixelRectangle(x: 0, y: 300, size: PixelSize(width: 640, height: 50)), 0x8040_2060)
        return surface
    }

    /// The largest of all channels, in some rows: odd ones and even ones.
    /// - Parameter area: which the video covers.
    static func difference(
        _ seen: Surface, _ video: Surface, under stage: Surface, in area: PixelRectangle, rowStep: Int = 13
    ) throws -> Int {
        func row(_ number: Int, of surface: Surface) throws -> UnsafePointer<UInt32> {
            let base = try #require(surface.canvas.bytes.baseAddress)
            return UnsafeRawPointer(base + number * surface.canvas.stride).assumingMemoryBound(to: UInt32.self)
        }
        var largest = 0
        for y in stride(from: area.y, to: area.bottom, by: rowStep) {
            let (seen, below) = (try row(y, of: seen), try row(y - area.y, of: video))
            let above = try row(y, of: stage)
            for x in area.x..<area.right {
                var (one, two, three) = (Int(seen[x]), Int(below[x - area.x]), Int(above[x]))
                let transparency = 255 - three >> 24
                for _ in 0..<3 {
                    let wanted = three & 255 + ((two & 255) * transparency + 127) / 255
                    largest = max(largest, abs(wanted - one & 255))
                    (one, two, three) = (one >> 8, two >> 8, three >> 8)
                }
            }
        }
        return largest
    }
}
