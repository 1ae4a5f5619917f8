// SPDX-License-Identifier: Apache-2.0
import Glibc
import Media
import Scene
import System

@testable import Display

/// A GPU of a fake card that fails as a test wants it.
final class FakePainter: ScreenPainter {
    /// In memory of the card that the test can look at.
    private final class Buffer: ScanoutBuffer {
        let plain: CanvasFramebuffer
        init(_ plain: CanvasFramebuffer) { self.plain = plain }
        var size: PixelSize { plain.size }
        var framebuffer: UInt32 { plain.framebuffer }
    }

    // What is about to go wrong.
    var isLost = false
    var makesNothing = false
    var memoryIsRefused = false
    var hasFences = false

    // What went on.
    private(set) var pictures = 0
    private(set) var reads = 0
    private(set) var given: DisplayError?
    private(set) var hasDrawn = false
    private let fake: FakeCard
    private var target: Buffer?

    init(_ card: FakeCard) { fake = card }

    var card: any KMSDevice { fake }

    func makeCanvasFramebuffer(_ size: PixelSize, for plane: UInt32) throws(DisplayError) -> any ScanoutBuffer {
        if makesNothing { throw .kms("make memory", code: ENOMEM) }
        let buffer = Buffer(try fake.makeCanvasFramebuffer(size))
        if memoryIsRefused { fake.refusedFramebuffers.insert(buffer.framebuffer) }
        return buffer
    }

    func aim(at buffer: (any ScanoutBuffer)?) {
        if buffer != nil { hasDrawn = false }
        target = buffer as? Buffer
    }

    /// As who composes would.
    /// - Returns: false when it is the processor's to do.
    func compose(_ picture: borrowing CanvasBuffer) -> Bool {
        guard !isLost, given == nil, let target else { return false }
        target.plain.write(picture)
        hasDrawn = true
        pictures += 1
        return true
    }

    func takeFence() -> FileDescriptor? {
        let file = hasFences ? open("/dev/null", O_RDONLY | O_CLOEXEC) : -1
        return file < 0 ? nil : FileDescriptor(adopting: file)
    }

    func draw(_ canvas: borrowing CanvasBuffer, on buffer: any ScanoutBuffer) throws(DisplayError) {
        if isLost { throw .gl(code: 0x507) }
        (buffer as? Buffer)?.plain.write(canvas)
    }

    func read(_ buffer: any ScanoutBuffer, into canvas: borrowing CanvasBuffer) throws(DisplayError) {
        if isLost { throw .gl(code: 0x507) }
        guard let pixel = (buffer as? Buffer)?.plain.firstPixel else { return }
        canvas.fill(blue: pixel[0], green: pixel[1], red: pixel[2])
        reads += 1
    }

    func forgoFences() { hasFences = false }
    func giveUp(_ why: DisplayError) { given = why }
}
