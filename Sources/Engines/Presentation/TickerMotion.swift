// SPDX-License-Identifier: Apache-2.0
import Scene
import Time
import Timelines

/// The motion of a ticker. It moves by the same distance in every frame, whenever the frame was shown.
///
/// One that is on the timeline leaves out a step, or makes one more, when it is most of a frame from where the timeline
/// has it: displays and streams do not run alike to some millionths.
struct TickerMotion {
    /// Thousandths of a frame. More than a half, so that it does not go to and fro where two frames are equally near.
    private static let leeway: Int64 = 750

    let strip: TickerStrip
    let step: Int
    private let rate: Int64
    private(set) var travel = 0
    /// Counts from the beginning of the timeline; nil while it runs by itself.
    private var frame: Int64?
    private var position: Nanoseconds?

    init(_ strip: TickerStrip, rate: Int) {
        self.strip = strip
        self.rate = Int64(rate)
        step = strip.pixelsPerFrame(at: rate)
    }

    /// The left edge of the text on the stage.
    var x: Int { strip.x(after: travel) }

    /// Moves on by a frame.
    /// - Parameter position: the time stamp that the main region presents then, as a span; nil if it shows no picture.
    mutating func advance(at position: Nanoseconds?) {
        guard strip.isOnTimeline, let position else {
            frame = nil
            travel = strip.wrapped(travel + step)
            return
        }
        // While the playback is paused the ticker stands.
        guard position != self.position || frame == nil else { return }
        self.position = position
        let turn = TickRate.mpeg.nanoseconds(StampSpan.stamps).count
        let place = (position.count % turn + turn) % turn / 1_000 * rate / 1_000  // at most 96 000 s × 240
        var next = frame.map { $0 + 1 } ?? place / 1_000
        if abs(next * 1_000 - place) > Self.leeway { next = (place + 500) / 1_000 }
        frame = next
        travel = strip.wrapped(Int(next) * step)
    }
}
