// SPDX-License-Identifier: Apache-2.0
import Scene

/// The motion of a ticker. It moves by the same distance in every frame, whenever the frame was shown.
struct TickerMotion {
    let strip: TickerStrip
    let step: Int
    private(set) var travel = 0

    init(_ strip: TickerStrip, rate: Int) {
        self.strip = strip
        step = strip.pixelsPerFrame(at: rate)
    }

    /// The left edge of the text on the stage.
    var x: Int { strip.x(after: travel) }

    mutating func advance() { travel = strip.wrapped(travel + step) }
}
