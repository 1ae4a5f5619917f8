// SPDX-License-Identifier: Apache-2.0
import Bytes
import Codecs
import Testing

/// What is on the screen of a box, of 320 by 180 pixels.
struct ScreenLook {
    /// Where a text is, with the usual free margin or without one.
    enum Place {
        case statistics, transport, banner, message

        var rows: ClosedRange<Int> {
            switch self {
            case .statistics: 30...80
            case .transport: 98...108
            case .banner: 126...150
            case .message: 70...110
            }
        }
    }

    struct Pixel {
        let x, y: Int
        let red, green, blue: UInt8

        func hasColour(of other: Pixel) -> Bool { (red, green, blue) == (other.red, other.green, other.blue) }
    }

    /// Those that have not the colour of the stage, which is seen in the right upper corner.
    private let pixels: [Pixel]

    init(_ box: RunningBox) throws {
        let text = try #require(box.answer("screenshot")["png"]?.string)
        let canvas = try PNG.decode(try #require(Base64.decode(text)))
        var pixels: [Pixel] = []
        for y in 0..<canvas.height {
            for x in 0..<canvas.width {
                let place = y * canvas.stride + x * 4
                let (blue, green, red) = (canvas.bytes[place], canvas.bytes[place + 1], canvas.bytes[place + 2])
                pixels.append(Pixel(x: x, y: y, red: red, green: green, blue: blue))
            }
        }
        let stage = pixels[canvas.width - 1]
        self.pixels = pixels.filter { !$0.hasColour(of: stage) }
    }

    func text(in place: Place) -> [Pixel] { pixels.filter { place.rows.contains($0.y) } }
}
