// SPDX-License-Identifier: Apache-2.0
import Scene

/// A moving ticker: it moves by the same distance in every frame, whenever that was shown.
struct TickerMotion {
    let strip: TickerStrip
    let step: Int
    private(set) var travel = 0

    init(_ strip: TickerStrip, rate: Int) {
        self.strip = strip
        step = strip.pixelsPerFrame(at: rate)
    }

    /// Left edge of the text on the stage.
    var x: Int { strip.x(after: travel) }

    mutating func advance() { travel = strip.wrapped(travel + step) }
}
