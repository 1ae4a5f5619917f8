// SPDX-License-Identifier: Apache-2.0
import Scene
import Typesetting

/// The place of each kind of text within the safe area. All distances and sizes of letters are multiples of one unit.
///
/// The banner is in the corner of the theme, and the buffering mark in the other corner of its edge; statistics and volume
/// are at the opposite edge, the transport bar is at the bottom, and tickers are outermost. What is at the same edge makes
/// room for what lies further out, if that is there.
struct ScreenGeometry: Hashable {
    /// What else is on the screen, for which room is made.
    struct Neighbours: Hashable {
        var ticker: TickerText.Position?
        var hasTransport = false
        /// Height of the banner; 0 if it is not there.
        var banner = 0
    }

    /// The permitted margin at each edge, which a TV may cut off, in percent of width and height.
    static let safeAreaPercents = 0...10

    let stage: PixelSize
    private let safeAreaPercent: Int
    let safe: PixelRectangle
    /// 12 pixels on a stage of 1,920 × 1,080.
    let unit: Int
    /// nil if each text's own direction applies.
    let direction: TextDirection?
    let theme: ScreenTheme
    var neighbours = Neighbours()

    /// - Parameter leastUnit: for what is to be read on a small part of a screen.
    init(
        stage: PixelSize, safeAreaPercent: Int, direction: TextDirection? = nil, theme: ScreenTheme = ScreenTheme(),
        leastUnit: Int = 1
    ) {
        let percent = min(max(safeAreaPercent, Self.safeAreaPercents.lowerBound), Self.safeAreaPercents.upperBound)
        let (x, y) = (stage.width * percent / 100, stage.height * percent / 100)
        self.stage = stage
        self.safeAreaPercent = percent
        safe = PixelRectangle(x: x, y: y, size: PixelSize(width: stage.width - 2 * x, height: stage.height - 2 * y))
        // On stages higher than wide the width decides.
        unit = max(leastUnit, min(stage.height / 90, stage.width / 96))
        self.direction = direction
        self.theme = theme
    }

    init(stage: PixelSize, _ options: ScreenTextEngine.Options) {
        let direction: TextDirection? =
            switch options.direction {
            case .auto: nil
            case .leftToRight: .leftToRight
            case .rightToLeft: .rightToLeft
            }
        self.init(stage: stage, safeAreaPercent: options.safeAreaPercent, direction: direction, theme: options.theme)
    }

    /// The same on a stage of another size.
    func moved(to new: PixelSize) -> ScreenGeometry {
        ScreenGeometry(stage: new, safeAreaPercent: safeAreaPercent, direction: direction, theme: theme)
    }

    /// The same without the neighbours that what is on this plane makes no room for.
    func relevant(to plane: OverlayPlane, _ neighbours: Neighbours) -> ScreenGeometry {
        var geometry = self
        switch plane {
        case .banner, .buffering:
            geometry.neighbours = Neighbours(ticker: neighbours.ticker, hasTransport: neighbours.hasTransport)
        case .channelList, .transport: geometry.neighbours = Neighbours(ticker: neighbours.ticker)
        case .statistics, .volume, .number: geometry.neighbours = neighbours
        case .advertisement, .scheduled, .testCard, .testCardMotion, .emergency:
            geometry.neighbours = Neighbours()
        }
        return geometry
    }

    // MARK: Sizes of letters

    /// The heights of lines, pixels: each is about 1.4 times the one before.
    enum TextSize: Int {
        // The raw values are halves of a unit.
        case caption = 5
        case body = 7
        case title = 10
        case display = 14
        case hall = 20
    }

    func height(_ size: TextSize) -> Int { max(2, unit * size.rawValue / 2) }

    func style(_ size: TextSize, _ colour: RGBColour? = nil, isBold: Bool = false) -> TextStyle {
        TextStyle(
            theme.font == .serif ? .serif : .sans, height: height(size), colour: colour ?? theme.text, isBold: isBold)
    }

    // MARK: Places

    /// From one thing to the next.
    private var gap: Int { unit }

    func ticker(_ position: TickerText.Position) -> PixelRectangle {
        let height = unit * 6
        return PixelRectangle(
            x: 0, y: position == .top ? safe.y : safe.bottom - height,
            size: PixelSize(width: stage.width, height: height))
    }

    /// The rows of pixels from the ticker at the top, if there is one, to that at the bottom.
    private var free: Range<Int> {
        let room = ticker(.top).size.height + gap
        let top = safe.y + (neighbours.ticker == .top ? room : 0)
        return top..<max(top, safe.bottom - (neighbours.ticker == .bottom ? room : 0))
    }

    /// The rows of `free` that lie above the transport bar; all of them if there is none.
    private var rows: Range<Int> {
        let free = free
        guard neighbours.hasTransport else { return free }
        return free.lowerBound..<max(free.lowerBound, free.upperBound - transportHeight - gap)
    }

    private var transportHeight: Int { unit * 6 }

    /// In the middle of the lower edge.
    var transport: PixelRectangle {
        let width = min(safe.size.width, unit * 100)
        return PixelRectangle(
            x: (stage.width - width) / 2, y: max(safe.y, free.upperBound - transportHeight),
            size: PixelSize(width: width, height: min(transportHeight, safe.size.height)))
    }

    /// The most that a banner may have: room for a name and two titles of 255 letters each.
    var largestBanner: PixelSize {
        PixelSize(
            width: max(1, min(unit * 100, safe.size.width - bufferingSize.width - gap)),
            height: max(1, rows.count * 5 / 6))
    }

    func banner(_ size: PixelSize) -> PixelRectangle {
        place(size, isTop: theme.corner.isTop, isRight: theme.corner.isRight)
    }

    private var bufferingSize: PixelSize { PixelSize(width: unit * 10, height: unit * 4) }

    /// In a corner, where it covers no face.
    var buffering: PixelRectangle {
        place(bufferingSize, isTop: theme.corner.isTop, isRight: !theme.corner.isRight)
    }

    var volume: PixelRectangle { opposite(height: unit * 7) }

    /// At the side of the banner, from top to bottom. What else is there makes way for it, but for a number.
    var channelList: PixelRectangle {
        let width = min(unit * 64, safe.size.width - largestNumber.width - gap)
        return PixelRectangle(
            x: theme.corner.isRight ? safe.right - width : safe.x, y: free.lowerBound,
            size: PixelSize(width: width, height: max(1, free.count)))
    }

    /// The most that a number with a name may have: what the banner and the buffering mark leave.
    var largestNumber: PixelSize {
        PixelSize(
            width: oppositeWidth, height: max(1, rows.count - max(neighbours.banner, bufferingSize.height) - gap))
    }

    /// In the place of the volume.
    func number(height: Int) -> PixelRectangle { opposite(height: height) }

    private var oppositeWidth: Int { max(1, min(unit * 32, safe.size.width / 2 - gap)) }

    /// A small panel in the corner that is opposite to the banner's.
    private func opposite(height: Int) -> PixelRectangle {
        place(
            PixelSize(width: oppositeWidth, height: height), isTop: !theme.corner.isTop, isRight: !theme.corner.isRight)
    }

    /// The most that statistics may have: what the volume beside them and the banner leave.
    var largestStatistics: PixelSize {
        PixelSize(
            width: max(1, min(unit * 100, safe.size.width - volume.size.width - gap)),
            height: max(1, rows.count - (neighbours.banner > 0 ? neighbours.banner + gap : 0)))
    }

    func statistics(_ size: PixelSize) -> PixelRectangle {
        place(size, isTop: !theme.corner.isTop, isRight: theme.corner.isRight)
    }

    var largestMessage: PixelSize { safe.size }

    func message(_ size: PixelSize) -> PixelRectangle {
        PixelRectangle(x: (stage.width - size.width) / 2, y: (stage.height - size.height) / 2, size: size)
    }

    private func place(_ size: PixelSize, isTop: Bool, isRight: Bool) -> PixelRectangle {
        let rows = rows
        return PixelRectangle(
            x: isRight ? safe.right - size.width : safe.x,
            y: isTop ? rows.lowerBound : max(safe.y, rows.upperBound - size.height), size: size)
    }
}
