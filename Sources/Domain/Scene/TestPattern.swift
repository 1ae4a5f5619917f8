// SPDX-License-Identifier: Apache-2.0

/// A still picture by which somebody in front of a screen judges it, as rectangles of one colour that are drawn one
/// after the other. It depends on its size alone.
///
/// The outermost pixels are white: whoever does not see them has overscan, and the frames within say how much of it.
/// Bars show the colours, steps of grey the range, a circle the aspect ratio, and lines of one pixel whether anything
/// between the box and the panel scales.
public struct TestPattern: Sendable {
    /// A rectangle within the picture, and its colour as 0xffRRGGBB.
    public struct Mark: Hashable, Sendable {
        public let area: PixelRectangle
        public let colour: UInt32
    }

    /// Distances from each edge of the frames, in thousandths of width and height.
    public static let frames = [25, 50]
    /// Steps of the grey ramp, from black to white.
    public static let greySteps = 11

    public let size: PixelSize
    /// In the order of drawing.
    public private(set) var marks: [Mark] = []

    private static let background: UInt32 = 0x303030
    private static let white: UInt32 = 0xffffff
    private static let frame: UInt32 = 0xa0a0a0

    public init(_ size: PixelSize) {
        self.size = size
        fill(0..<size.width, 0..<size.height, Self.background)
        addBars()
        addRamp()
        addGratings()
        for distance in Self.frames {
            addOutline(x: size.width * distance / 1_000, y: size.height * distance / 1_000, Self.frame)
        }
        addCircle()
        addOutline(x: 1, y: 1, 0)
        addOutline(x: 0, y: 0, Self.white)
        addArrowheads()
    }

    // MARK: Places

    public var bars: PixelRectangle { place(50...950, 130...370) }
    public var ramp: PixelRectangle { place(50...950, 370...470) }
    /// Vertical lines, one pixel white and one black.
    public var verticalLines: PixelRectangle { place(70...190, 540...760) }
    /// Horizontal lines, likewise.
    public var horizontalLines: PixelRectangle { place(810...930, 540...760) }
    /// Room for what somebody writes on the picture.
    public var texts: PixelRectangle { place(290...710, 500...790) }
    /// Room for what moves.
    public var motion: PixelRectangle { place(360...640, 800...850) }
    public var radius: Int { min(size.width, size.height) * 45 / 100 }

    /// The columns of a step of the grey ramp, counted from black.
    public func columns(ofGrey step: Int) -> Range<Int> {
        let ramp = ramp
        func start(_ step: Int) -> Int { ramp.x + step * ramp.size.width / Self.greySteps }
        return start(step)..<start(step + 1)
    }

    /// - Parameters: thousandths of width and height.
    private func place(_ x: ClosedRange<Int>, _ y: ClosedRange<Int>) -> PixelRectangle {
        let (left, right) = (size.width * x.lowerBound / 1_000, size.width * x.upperBound / 1_000)
        let (top, bottom) = (size.height * y.lowerBound / 1_000, size.height * y.upperBound / 1_000)
        return PixelRectangle(x: left, y: top, size: PixelSize(width: right - left, height: bottom - top))
    }

    // MARK: Marks

    /// - Parameter colour: 0xRRGGBB.
    private mutating func fill(_ columns: Range<Int>, _ rows: Range<Int>, _ colour: UInt32) {
        let area = PixelRectangle(
            x: columns.lowerBound, y: rows.lowerBound, size: PixelSize(width: columns.count, height: rows.count))
        let seen = area.intersection(PixelRectangle(x: 0, y: 0, size: size))
        if !seen.isEmpty { marks.append(Mark(area: seen, colour: 0xff00_0000 | colour)) }
    }

    private mutating func addBars() {
        let bars = bars
        for (index, colour) in ColourBars.colours.enumerated() {
            let columns = ColourBars.columns(of: index, in: bars.size.width)
            fill(bars.x + columns.lowerBound..<bars.x + columns.upperBound, bars.y..<bars.bottom, colour)
        }
    }

    /// Black and white have a patch in their middle that differs from them by 2 %: where it is not seen, a screen takes
    /// the full range of levels for the limited one.
    private mutating func addRamp() {
        let ramp = ramp
        let patch = ramp.y + ramp.size.height / 3..<ramp.bottom - ramp.size.height / 3
        for step in 0..<Self.greySteps {
            let columns = columns(ofGrey: step)
            let grey = UInt32(step * 255 / (Self.greySteps - 1))
            fill(columns, ramp.y..<ramp.bottom, grey * 0x010101)
            let third = columns.count / 3
            let middle = columns.lowerBound + third..<columns.upperBound - third
            if step == 0 { fill(middle, patch, 0x050505) }
            if step == Self.greySteps - 1 { fill(middle, patch, 0xfafafa) }
        }
    }

    private mutating func addGratings() {
        let (vertical, horizontal) = (verticalLines, horizontalLines)
        fill(vertical.x..<vertical.right, vertical.y..<vertical.bottom, 0)
        for x in stride(from: vertical.x, to: vertical.right, by: 2) {
            fill(x..<x + 1, vertical.y..<vertical.bottom, Self.white)
        }
        fill(horizontal.x..<horizontal.right, horizontal.y..<horizontal.bottom, 0)
        for y in stride(from: horizontal.y, to: horizontal.bottom, by: 2) {
            fill(horizontal.x..<horizontal.right, y..<y + 1, Self.white)
        }
    }

    /// A ring, row by row: what lies between two circles around the middle of the picture.
    private mutating func addCircle() {
        let (outer, middle) = (radius, (x: size.width / 2, y: size.height / 2))
        let inner = outer - max(1, outer / 120)
        /// Half of the circle's width in the row of pixels below this distance from its middle.
        func half(_ radius: Int, _ row: Int) -> Int {
            let distance = Double(row) + 0.5
            let square = Double(radius * radius) - distance * distance
            return square > 0 ? Int(square.squareRoot().rounded()) : 0
        }
        for row in 0..<max(0, outer) {
            let (from, to) = (half(inner, row), half(outer, row))
            for y in [middle.y - 1 - row, middle.y + row] where to > from {
                fill(middle.x - to..<middle.x - from, y..<y + 1, Self.white)
                fill(middle.x + from..<middle.x + to, y..<y + 1, Self.white)
            }
        }
    }

    /// Lines of one pixel, as far from each edge.
    private mutating func addOutline(x: Int, y: Int, _ colour: UInt32) {
        guard size.width > 2 * x, size.height > 2 * y else { return }
        let (columns, rows) = (x..<size.width - x, y..<size.height - y)
        fill(columns, y..<y + 1, colour)
        fill(columns, size.height - y - 1..<size.height - y, colour)
        fill(x..<x + 1, rows, colour)
        fill(size.width - x - 1..<size.width - x, rows, colour)
    }

    /// In the middle of each edge, with its tip at the outermost pixel.
    private mutating func addArrowheads() {
        let (x, y) = (size.width / 2, size.height / 2)
        for step in 0..<min(size.width, size.height) / 25 {
            let half = step / 2
            fill(x - half..<x + half + 1, step..<step + 1, Self.white)
            fill(x - half..<x + half + 1, size.height - 1 - step..<size.height - step, Self.white)
            fill(step..<step + 1, y - half..<y + half + 1, Self.white)
            fill(size.width - 1 - step..<size.width - step, y - half..<y + half + 1, Self.white)
        }
    }
}
