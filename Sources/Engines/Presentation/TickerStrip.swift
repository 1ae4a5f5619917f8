// SPDX-License-Identifier: Apache-2.0
import Media
import Scene

/// A line of text that runs repeatedly through an area over the video, in at one edge and out at the other. It moves by
/// the same whole number of pixels in every frame of the display.
public final class TickerStrip: @unchecked Sendable {
    // Sendable: its maker draws before posting it; from then on it is only read.

    public enum Direction: Sendable, Hashable {
        case leftwards
        /// For scripts that run from right to left.
        case rightwards
    }

    /// The text, of any width: blue, green, red, alpha, premultiplied. Its upper edge is that of the area.
    public let canvas: CanvasBuffer
    /// The area of the stage.
    public let area: PixelRectangle
    public let pixelsPerSecond: Int
    public let direction: Direction
    /// The colour of the area under the text: premultiplied 0xAARRGGBB.
    public let band: UInt32
    /// Whether its place follows from the time stamps of what the main region presents, so that it stands in the same
    /// place on every output of this size and rate that presents the same. Without a picture it runs by itself.
    public let isOnTimeline: Bool

    /// - Parameter pixelsPerSecond: rounded to whole pixels in a frame, at least one.
    public init(
        _ canvas: consuming CanvasBuffer, area: PixelRectangle, pixelsPerSecond: Int,
        direction: Direction = .leftwards, band: UInt32 = 0, isOnTimeline: Bool = false
    ) {
        self.isOnTimeline = isOnTimeline
        self.canvas = canvas
        self.area = area
        self.pixelsPerSecond = pixelsPerSecond
        self.direction = direction
        self.band = band
    }

    /// - Parameter rate: frames a second of the display.
    public func pixelsPerFrame(at rate: Int) -> Int {
        let rate = max(1, rate)
        return max(1, (max(0, min(1 << 20, pixelsPerSecond)) + rate / 2) / rate)
    }

    /// The distance in pixels after which the text comes in again.
    private var period: Int { canvas.width + max(1, area.size.width) }

    func wrapped(_ travel: Int) -> Int { travel % period }

    /// The left edge of the text on the stage after it has moved by `travel` pixels.
    func x(after travel: Int) -> Int {
        let way = wrapped(travel)
        return direction == .leftwards ? area.right - way : area.x - canvas.width + way
    }
}
