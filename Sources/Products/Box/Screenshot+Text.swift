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

    /// The picture as text for a terminal, scaled to its columns.
    func text(_ style: ScreenshotStyle) throws(ConversionError) -> String {
        let picture = try terminalPicture(width: style.columns * (style.form == .sixel ? Self.sixelColumn : 1))
        return switch style.form {
        case .blocks: picture.blocks
        case .sixel: picture.sixel
        case .ascii, .png: picture.ascii
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
