// SPDX-License-Identifier: Apache-2.0
import Glibc
import Media
import Scene
import System
import Time

/// The stage's canvas, and how it gets into a framebuffer: composed in memory and copied, or drawn there by a painter.
/// If the painter fails, the processor takes over.
/// - Thread: the render thread only.
final class ScreenCanvas {
    typealias Buffers = (next: any ScanoutBuffer, shown: any ScanoutBuffer)

    private var memory: HeadlessOutput
    /// How the stage lies in a framebuffer.
    let mounting: ScreenMounting
    /// nil if the processor draws.
    private var painter: (any ScreenPainter)?
    /// The buffer into which the painter has drawn the newest canvas; nil if the canvas is in memory.
    private var painted: (any ScanoutBuffer)?
    /// Whether the painted canvas has also been read back into memory.
    private var isReadBack = false
    private var trouble: DisplayError?

    init(_ request: ModeRequest, painter: (any ScreenPainter)?) {
        memory = HeadlessOutput(size: request.stage)
        mounting = request.mounting
        self.painter = painter
    }

    /// The first failure since the last call.
    func takeTrouble() -> DisplayError? { trouble.take() }

    // MARK: The canvas

    /// - Parameter buffer: the buffer to be shown next; nil if there is none.
    func compose<Failure: Error>(
        for buffer: (any ScanoutBuffer)?, _ body: (borrowing CanvasBuffer) throws(Failure) -> Void
    ) throws(Failure) {
        let target = buffer is CanvasFramebuffer ? nil : buffer
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

    /// Whether the canvas can be written to the buffers.
    func accepts(_ buffers: Buffers) -> Bool { painter != nil || buffers.next is CanvasFramebuffer }

    func makeBuffers(_ size: PixelSize, for plane: UInt32, on device: any KMSDevice) throws(DisplayError) -> Buffers {
        if let painter, painter.card === device, size == memory.size || mounting != ScreenMounting() {
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

    /// Writes the newest canvas to the buffer, as it is mounted, or to another one of its size.
    /// - Parameter hole: as in `CanvasFramebuffer.write`.
    /// - Returns: the buffer that was written.
    func write(
        on buffer: any ScanoutBuffer, hole: PixelRectangle? = nil, _ device: any KMSDevice
    ) throws(DisplayError) -> any ScanoutBuffer {
        if painted === buffer { return buffer }
        if let plain = buffer as? CanvasFramebuffer {
            _ = readFront { plain.write($0, mounted: mounting, hole: hole) }
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

    /// Tests whether the card shows a buffer. If it refuses one of the painter's, one for the processor is tested.
    /// - Parameter body: tests the framebuffer.
    /// - Returns: buffers for the processor if only those are accepted; nil if the given one is.
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

    /// Makes a flip that waits until the painter has drawn the buffer.
    /// - Parameter body: makes the flip with these settings added.
    func flip(on plane: UInt32, _ body: ([KMSSetting]) throws(DisplayError) -> Void) throws(DisplayError) {
        guard let painter, let fence = painter.takeFence() else { return try body([]) }
        do throws(DisplayError) {
            try Self.flip(on: plane, after: fence, body)
        } catch {
            if case .kms(_, EINVAL) = error { painter.forgoFences() }
            throw error
        }
    }

    /// The fence stays open until the call has returned.
    private static func flip(
        on plane: UInt32, after fence: borrowing FileDescriptor, _ body: ([KMSSetting]) throws(DisplayError) -> Void
    ) throws(DisplayError) { try body([KMSSetting(plane, .inFence, UInt64(fence.rawValue))]) }

    /// The processor draws from now on.
    func dropPainter(_ why: DisplayError) {
        painter?.giveUp(why)
        painter = nil
    }

    /// The card is gone, and with it all that was drawn on it.
    func forgetCard() {
        dropPainter(.missing("the card that it was drawn for"))
        painted = nil
    }
}
