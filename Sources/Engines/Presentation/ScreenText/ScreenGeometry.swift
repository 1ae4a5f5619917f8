// SPDX-License-Identifier: Apache-2.0
import Scene
import Typesetting

/// The place of each kind of text, independent of what else is on the screen. From the top: a ticker, statistics and
/// volume. From the bottom: a ticker, the banner, the transport bar. In the middle: the buffering mark and messages.
struct ScreenGeometry: Hashable {
    /// The permitted margin at each edge, which a TV may cut off, in percent of width and height.
    static let safeAreaPercents = 0...10

    let stage: PixelSize
    private let safeAreaPercent: Int
    let safe: PixelRectangle
    /// The height of a line of text, pixels.
    let line: Int
    /// nil if each text's own direction applies.
    let direction: TextDirection?

    init(stage: PixelSize, safeAreaPercent: Int, direction: TextDirection? = nil) {
        let percent = min(max(safeAreaPercent, Self.safeAreaPercents.lowerBound), Self.safeAreaPercents.upperBound)
        let (x, y) = (stage.width * percent / 100, stage.height * percent / 100)
        self.stage = stage
        self.safeAreaPercent = percent
        safe = PixelRectangle(x: x, y: y, size: PixelSize(width: stage.width - 2 * x, height: stage.height - 2 * y))
        // On narrow stages the line is proportional to the width.
        line = max(2, min(stage.height / 22, stage.width / 32))
        self.direction = direction
    }

    init(stage: PixelSize, _ options: ScreenTextEngine.Options) {
        let direction: TextDirection? =
            switch options.direction {
            case .auto: nil
            case .leftToRight: .leftToRight
            case .rightToLeft: .rightToLeft
            }
        self.init(stage: stage, safeAreaPercent: options.safeAreaPercent, direction: direction)
    }

    /// The same on a stage of another size.
    func moved(to new: PixelSize) -> ScreenGeometry {
        ScreenGeometry(stage: new, safeAreaPercent: safeAreaPercent, direction: direction)
    }

    var bottom: Int { safe.y + safe.size.height }

    func ticker(_ position: TickerText.Position) -> PixelRectangle {
        let height = line * 3 / 2
        return PixelRectangle(
            x: 0, y: position == .top ? safe.y : bottom - height, size: PixelSize(width: stage.width, height: height))
    }

    var banner: PixelRectangle {
        let height = line * 5
        return PixelRectangle(
            x: safe.x, y: bottom - line * 2 - height, size: PixelSize(width: safe.size.width, height: height))
    }

    var transport: PixelRectangle {
        let height = line * 2
        return PixelRectangle(
            x: safe.x, y: banner.y - line / 2 - height, size: PixelSize(width: safe.size.width, height: height))
    }

    var volume: PixelRectangle {
        let width = safe.size.width / 3
        return PixelRectangle(
            x: safe.x + safe.size.width - width, y: safe.y + line * 2, size: PixelSize(width: width, height: line * 2))
    }

    /// Centred, or higher if it would overlap the transport bar.
    var buffering: PixelRectangle {
        var rectangle = centred(PixelSize(width: line * 5, height: line * 2))
        rectangle.y = min(rectangle.y, transport.y - line / 2 - rectangle.size.height)
        return rectangle
    }

    func statistics(rows: Int) -> PixelRectangle {
        PixelRectangle(
            x: safe.x, y: safe.y + line * 2,
            size: PixelSize(
                width: safe.size.width / 2 - line * 3,
                height: min(rows * statisticsLine + line, transport.y - line / 2 - safe.y - line * 2)))
    }

    var statisticsLine: Int { max(2, line * 3 / 4) }

    /// - Parameter height: the height of the text.
    func message(height: Int) -> PixelRectangle {
        centred(PixelSize(width: safe.size.width, height: min(height + line * 2, safe.size.height)))
    }

    private func centred(_ size: PixelSize) -> PixelRectangle {
        PixelRectangle(x: (stage.width - size.width) / 2, y: (stage.height - size.height) / 2, size: size)
    }
}
