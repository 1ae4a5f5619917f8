// SPDX-License-Identifier: Apache-2.0
import Media
import Scene
import Time

/// A stage on a screen: composed in memory, copied into one of two dumb buffers, shown by a page flip.
///
/// A flip that the card refuses or loses is made up for by setting the mode again; so is a screen that was switched off.
public final class KMSOutput: StageOutput {
    public let size: PixelSize
    /// The screen's frames a second, 1...240.
    public let rate: Int
    public private(set) var fault: DisplayError?
    public var refresh: Nanoseconds? { Nanoseconds(1_000_000_000_000 / Int64(max(1_000, screen.mode.milliHertz))) }
    public private(set) var lastVBlank: Monotonic?
    private let screen: KMSScreen
    private let buffers: [DumbBuffer]
    private var canvases: HeadlessOutput
    /// Which of the buffers is written next.
    private var next = 0
    private var isDriven = false

    /// - Parameter size: of the stage, 1...16 384 each way. The screen's mode has the same if it can; else what is too
    ///   much is cut off at the edges.
    public init(size: PixelSize) throws(DisplayError) {
        let screen = try KMSScreen.first(for: size)
        buffers = [
            try DumbBuffer(screen.card, size: screen.mode.size), try DumbBuffer(screen.card, size: screen.mode.size),
        ]
        self.screen = screen
        self.size = size
        rate = screen.mode.rate
        canvases = HeadlessOutput(size: size)
    }

    public var wantsPictures: Bool { true }

    public func compose<Failure: Error>(
        _ body: (borrowing CanvasBuffer) throws(Failure) -> Void
    ) throws(Failure) { try canvases.compose(body) }

    public func present(now: Monotonic) -> Monotonic {
        let buffer = buffers[next]
        next = 1 - next
        let presented = canvases.present(now: now)
        _ = canvases.readFront { buffer.write($0) }
        fault = nil
        do throws(DisplayError) {
            if isDriven {
                let visible = try screen.flip(to: buffer)
                lastVBlank = visible
                return visible
            }
        } catch {
            fault = error
        }
        do throws(DisplayError) {
            try screen.show(buffer)
            isDriven = true
        } catch {
            fault = error
            isDriven = false
        }
        return presented
    }

    public func readFront<Failure: Error>(
        _ body: (borrowing CanvasBuffer) throws(Failure) -> Void
    ) throws(Failure) -> Bool { try canvases.readFront(body) }
}
