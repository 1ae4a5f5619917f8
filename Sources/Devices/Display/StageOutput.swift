// SPDX-License-Identifier: Apache-2.0
import Media
import Scene
import Time

/// What composed pictures are shown on. Two canvases: one is drawn, the other is shown, `present` swaps them.
/// - Thread: the render thread owns it and makes every call.
public protocol StageOutput: ~Copyable {
    var size: PixelSize { get }

    /// False where nobody can see anything: compose nothing, and save the time.
    var wantsPictures: Bool { get }

    /// Lends the canvas that the next `present` shows. It holds what was presented two presents ago, or black.
    mutating func compose<Failure: Error>(
        _ body: (borrowing CanvasBuffer) throws(Failure) -> Void
    ) throws(Failure) -> Void

    /// Has the next `present` show a part of this picture by itself, under the canvas, which may then be kept from the
    /// present before: what is not composed anew has not changed.
    /// - Parameters:
    ///   - isNew: it is not the one of the last time.
    ///   - crop: of the picture, from an even origin.
    ///   - destination: of the stage.
    /// - Returns: what it covers of the stage, within `destination`: there the canvas has to be transparent, with colours
    ///   multiplied by opacity. Nil: it has to be composed, and the whole canvas is opaque, as after `hideVideo`.
    mutating func show(
        _ picture: borrowing VideoFrame, isNew: Bool, crop: PixelRectangle, at destination: PixelRectangle
    ) -> PixelRectangle?

    /// Has the next `present` show the canvas alone.
    mutating func hideVideo()

    /// What was presented last could not be shown with its picture under it, and is shown without it or not at all: it has
    /// to be composed and presented at once.
    var lacksVideo: Bool { get }

    /// Shows what was composed.
    /// - Returns: the instant from which it is visible: `now`, or the page flip's.
    mutating func present(now: Monotonic) -> Monotonic

    /// From one vblank to the next, as the mode has it; nil where there is no vblank: pictures are visible at once.
    var refresh: Nanoseconds? { get }

    /// When the last picture that a page flip has shown became visible; nil before the first. The instant of the vblank, as
    /// exact as the driver says it: that of another moment is not to be told.
    var lastVBlank: Monotonic? { get }

    /// Why the last `present` did not show what it should have; nil when it did.
    var fault: DisplayError? { get }

    /// Does what is to be done without a picture: a screen that was plugged in gets what was presented last.
    /// - Returns: when to be called again, if it is not before; nil: whenever.
    mutating func attend(now: Monotonic) -> Monotonic?

    /// What is presented has so many pictures a second: a screen's mode is chosen by that.
    mutating func follow(content rate: FrameRate?)

    /// Nil for what has none.
    var screen: ScreenStatus? { get }

    /// Lends what was presented last; not called when there is nothing.
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
