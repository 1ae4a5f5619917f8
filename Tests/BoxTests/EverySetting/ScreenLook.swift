// SPDX-License-Identifier: Apache-2.0
import Bytes
import Codecs
import Testing

/// What is on the screen of a box, of 320 by 180 pixels.
struct ScreenLook {
    /// Where a text is, with the usual free margin or without one.
    enum Place {
        case statistics, transport, banner, topBanner, message, right

        /// The columns and the rows in which nothing else is.
        var area: (columns: Range<Int>, rows: Range<Int>) {
            switch self {
            case .statistics: (0..<200, 24..<90)
            case .transport: (200..<280, 155..<175)
            case .banner: (0..<140, 130..<180)
            case .topBanner: (200..<320, 5..<40)
            case .message: (0..<320, 70..<110)
            case .right: (170..<320, 0..<180)
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

    func text(in place: Place) -> [Pixel] {
        pixels.filter { place.area.columns.contains($0.x) && place.area.rows.contains($0.y) }
    }
}
