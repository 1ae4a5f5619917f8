// SPDX-License-Identifier: Apache-2.0
import Conversion
import Layouts
import Media
import Presentation
import Scene
import Terminal

extension Screenshot {
    /// Pixels of sixel graphics in a column of characters.
    private static let sixelColumn = 8

    /// Octets of the longest sixel graphics: 20 s of a serial line of 115,200 baud. A picture that takes more, such as noise,
    /// is made smaller.
    private static let longestSixel = 230_400

    /// The picture as text for a terminal, scaled to its columns.
    func text(_ style: ScreenshotStyle) throws(ConversionError) -> String {
        switch style.form {
        case .blocks: return try terminalPicture(width: style.columns).blocks
        case .ascii, .png: return try terminalPicture(width: style.columns).ascii
        case .sixel:
            var columns = style.columns
            while true {
                let text = try terminalPicture(width: columns * Self.sixelColumn).sixel
                guard text.utf8.count > Self.longestSixel, columns > ScreenshotStyle.columnsAllowed.lowerBound else {
                    return text
                }
                columns = max(ScreenshotStyle.columnsAllowed.lowerBound, columns * 2 / 3)
            }
        }
    }

    private func terminalPicture(width: Int) throws(ConversionError) -> TerminalPicture {
        let height = TerminalPicture.height(of: (canvas.width, canvas.height), at: width)
        let scaled = CanvasBuffer(width: width, height: height)
        try CanvasScaler(from: size, toCanvasOf: PixelSize(width: width, height: height)).scale(canvas, to: scaled)
        var pixels: [UInt8] = []
        pixels.reserveCapacity(width * height * 3)
        for row in 0..<height {
            for column in 0..<width {
                let place = row * scaled.stride + column * 4
                pixels.append(scaled.bytes[place + 2])
                pixels.append(scaled.bytes[place + 1])
                pixels.append(scaled.bytes[place])
            }
        }
        return TerminalPicture(width: width, height: height, pixels: pixels)
    }
}
