// SPDX-License-Identifier: Apache-2.0
import Media
import Scene
import Time

/// An output that shows a stage. It has two canvases: one is drawn while the other is shown, and `present` swaps them.
/// - Thread: the render thread owns it and makes every call.
public protocol StageOutput: ~Copyable {
    var size: PixelSize { get }

    /// False if nobody can see anything, and nothing needs to be composed.
    var wantsPictures: Bool { get }

    /// Lends the canvas that the next `present` shows. It holds what it held two presents ago, or black.
    mutating func compose<Failure: Error>(
        _ body: (borrowing CanvasBuffer) throws(Failure) -> Void
    ) throws(Failure) -> Void

    /// Makes the next `present` show part of a picture on a plane of its own, under the canvas. The canvas of the
    /// previous present may be kept then, because what is not composed anew has not changed.
    /// - Parameters:
    ///   - isNew: false if it is the picture of the last call.
    ///   - crop: the part of the picture, from an even origin.
    ///   - destination: where the stage shows it.
    /// - Returns: the area of the stage that it covers, within `destination`; there the canvas must be transparent,
    ///   with colours multiplied by opacity. nil if the picture must be composed; then the whole canvas must be opaque,
    ///   as after `hideVideo`.
    mutating func show(
        _ picture: borrowing VideoFrame, isNew: Bool, crop: PixelRectangle, at destination: PixelRectangle
    ) -> PixelRectangle?

    /// Makes the next `present` show the canvas alone.
    mutating func hideVideo()

    /// True if the canvas presented last has a hole and the card refused the picture under it. The stage must then be
    /// composed without a hole and presented at once.
    var lacksVideo: Bool { get }

    /// Shows what was composed.
    /// - Returns: the instant from which it is visible: that of the page flip, or `now`.
    mutating func present(now: Monotonic) -> Monotonic

    /// The time from one vblank to the next, by the mode; nil if there is no vblank and pictures are visible at once.
    var refresh: Nanoseconds? { get }

    /// The vblank at which the last page flip became visible, as exact as the driver reports it; nil before the first.
    /// It is never another instant.
    var lastVBlank: Monotonic? { get }

    /// Why the last `present` did not show what it should have; nil if it did.
    var fault: DisplayError? { get }

    /// Does work that needs no new picture; for instance, a display that was plugged in gets what was presented last.
    /// - Returns: the latest instant of the next call; nil if none is needed.
    mutating func attend(now: Monotonic) -> Monotonic?

    /// Chooses the mode for content of this rate; nil if the rate is unknown.
    mutating func follow(content rate: FrameRate?)

    /// nil if the output has no screen.
    var screen: ScreenStatus? { get }

    /// Lends what was presented last, if anything was.
    /// - Returns: whether `body` ran.
    func readFront<Failure: Error>(
        _ body: (borrowing CanvasBuffer) throws(Failure) -> Void
    ) throws(Failure) -> Bool
}

extension StageOutput where Self: ~Copyable {
    public var fault: DisplayError? { nil }
    public var refresh: Nanoseconds? { nil }
    public var lastVBlank: Monotonic? { nil }
    public var screen: ScreenStatus? { nil }
    public mutating func show(
        _ picture: borrowing VideoFrame, isNew: Bool, crop: PixelRectangle, at destination: PixelRectangle
    ) -> PixelRectangle? { nil }
    public mutating func hideVideo() {}
    public var lacksVideo: Bool { false }
    public mutating func follow(content rate: FrameRate?) {}
    public mutating func attend(now: Monotonic) -> Monotonic? { nil }
}
