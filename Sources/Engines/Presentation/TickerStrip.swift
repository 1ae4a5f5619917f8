// SPDX-License-Identifier: Apache-2.0
import Media
import Scene

/// A line of text that runs through an area over the video, again and again: it comes in at one edge, leaves at the
/// other. It moves by the same whole number of pixels in every frame of the display.
public final class TickerStrip: @unchecked Sendable {
    // Sendable: its maker draws before it posts; from then on everybody reads.

    public enum Direction: Sendable, Hashable {
        case leftwards
        /// For what is written from right to left.
        case rightwards
    }

    /// Blue, green, red, alpha, premultiplied; of any width. Its upper edge is the area's.
    public let canvas: CanvasBuffer
    /// On the stage.
    public let area: PixelRectangle
    public let pixelsPerSecond: Int
    public let direction: Direction
    /// Drawn over all of the area under the text: premultiplied 0xAARRGGBB.
    public let band: UInt32

    /// - Parameter pixelsPerSecond: rounded to whole pixels in a frame, one at least.
    public init(
        _ canvas: consuming CanvasBuffer, area: PixelRectangle, pixelsPerSecond: Int,
        direction: Direction = .leftwards, band: UInt32 = 0
    ) {
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

    /// The text comes in again after so many pixels of travel.
    private var period: Int { canvas.width + max(1, area.size.width) }

    func wrapped(_ travel: Int) -> Int { travel % period }

    /// Left edge of the text on the stage after so many pixels of travel.
    func x(after travel: Int) -> Int {
        let way = wrapped(travel)
        return direction == .leftwards ? area.right - way : area.x - canvas.width + way
    }
}
