// SPDX-License-Identifier: Apache-2.0
import Glibc
import Media
import Scene
import System
import Time

/// A stage's picture, and how it comes to where a card shows it: composed in memory and copied, or drawn there by a
/// painter. Where the painter fails, the processor goes on.
/// - Thread: the render thread's alone.
final class ScreenCanvas {
    typealias Buffers = (next: any ScanoutBuffer, shown: any ScanoutBuffer)

    private var memory: HeadlessOutput
    /// Nil: the processor does all.
    private var painter: (any ScreenPainter)?
    /// The one that the painter has drawn the newest picture on; nil: it is in memory.
    private var painted: (any ScanoutBuffer)?
    /// It is in memory as well.
    private var isReadBack = false
    private var trouble: DisplayError?

    init(size: PixelSize, painter: (any ScreenPainter)?) {
        memory = HeadlessOutput(size: size)
        self.painter = painter
    }

    /// What went wrong since it was asked for last.
    func takeTrouble() -> DisplayError? { trouble.take() }

    // MARK: The picture

    /// - Parameter buffer: shown next; nil: nothing is shown.
    func compose<Failure: Error>(
        for buffer: (any ScanoutBuffer)?, _ body: (borrowing CanvasBuffer) throws(Failure) -> Void
    ) throws(Failure) {
        let target = buffer is CanvasFramebuffer || buffer?.size != memory.size ? nil : buffer
        painter?.aim(at: target)
        defer { painter?.aim(at: nil) }
        (painted, isReadBack) = (nil, false)
        try memory.compose(body)
        if painter?.hasDrawn == true { painted = target }
    }

    func present(now: Monotonic) -> Monotonic { memory.present(now: now) }

    func readFront<Failure: Error>(
        _ body: (borrowing CanvasBuffer) throws(Failure) -> Void
    ) throws(Failure) -> Bool {
        if let painter, let painted, !isReadBack {
            isReadBack = true
            var fault: DisplayError?
            _ = memory.readFront { canvas in
                do throws(DisplayError) { try painter.read(painted, into: canvas) } catch { fault = error }
            }
            trouble = fault ?? trouble
        }
        return try memory.readFront(body)
    }

    // MARK: Buffers

    /// Whether buffers can be written as things are.
    func accepts(_ buffers: Buffers) -> Bool { painter != nil || buffers.next is CanvasFramebuffer }

    func makeBuffers(_ size: PixelSize, for plane: UInt32, on device: any KMSDevice) throws(DisplayError) -> Buffers {
        if let painter, painter.card === device, size == memory.size {
            do throws(DisplayError) {
                let made = try painter.makeCanvasFramebuffer(size, for: plane)
                return (next: made, shown: try painter.makeCanvasFramebuffer(size, for: plane))
            } catch {
                dropPainter(error)
            }
        }
        let made = try device.makeCanvasFramebuffer(size)
        return (next: made, shown: try device.makeCanvasFramebuffer(size))
    }

    /// Has the newest picture on the buffer, or on another of its size.
    /// - Parameter hole: as `CanvasFramebuffer.write` has it.
    /// - Returns: that which it is on.
    func write(
        on buffer: any ScanoutBuffer, hole: PixelRectangle? = nil, _ device: any KMSDevice
    ) throws(DisplayError) -> any ScanoutBuffer {
        if painted === buffer { return buffer }
        if let plain = buffer as? CanvasFramebuffer {
            _ = readFront { plain.write($0, hole: hole) }
            return plain
        }
        var fault: DisplayError? = .missing("a painter")
        let isThere = readFront { canvas in
            do throws(DisplayError) {
                try painter?.draw(canvas, on: buffer)
                if painter != nil { fault = nil }
            } catch {
                fault = error
            }
        }
        guard isThere, let fault else { return buffer }
        dropPainter(fault)
        return try write(on: device.makeCanvasFramebuffer(buffer.size), hole: hole, device)
    }

    /// Tests a buffer, and another where the painter's own may be what is refused.
    /// - Returns: buffers of the processor's, if those are taken alone.
    func test(
        _ buffer: any ScanoutBuffer, on device: any KMSDevice, _ body: (UInt32) throws(DisplayError) -> Void
    ) throws(DisplayError) -> Buffers? {
        do throws(DisplayError) {
            try body(buffer.framebuffer)
            return nil
        } catch {
            guard !(buffer is CanvasFramebuffer) else { throw error }
            let plain = try device.makeCanvasFramebuffer(buffer.size)
            try body(plain.framebuffer)
            dropPainter(error)
            let others: Buffers = (next: plain, shown: try device.makeCanvasFramebuffer(buffer.size))
            return others
        }
    }

    // MARK: The painter

    /// Shows a painted buffer when it is drawn.
    /// - Parameter body: the settings beside those of the flip.
    func flip(on plane: UInt32, _ body: ([KMSSetting]) throws(DisplayError) -> Void) throws(DisplayError) {
        guard let painter, let fence = painter.takeFence() else { return try body([]) }
        do throws(DisplayError) {
            try Self.flip(on: plane, after: fence, body)
        } catch {
            if case .kms(_, EINVAL) = error { painter.forgoFences() }
            throw error
        }
    }

    /// The fence stays open until it is done.
    private static func flip(
        on plane: UInt32, after fence: borrowing FileDescriptor, _ body: ([KMSSetting]) throws(DisplayError) -> Void
    ) throws(DisplayError) { try body([KMSSetting(plane, .inFence, UInt64(fence.rawValue))]) }

    /// The processor does all from now on.
    func dropPainter(_ why: DisplayError) {
        painter?.giveUp(why)
        painter = nil
    }

    /// The card is gone, and what was drawn on it.
    func forgetCard() {
        dropPainter(.missing("the card that it was drawn for"))
        painted = nil
    }
}
