// SPDX-License-Identifier: Apache-2.0
import Media
import Scene
import System

/// Paints with a card's own GPU, or with Mesa's software renderer in its place.
final class GBMPainter: ScreenPainter {
    let compositor: GLESCompositor
    private let device: GBMDevice
    /// The modifiers that both the plane and the GPU support.
    private var modifiers: (plane: UInt32, both: [UInt64])?

    /// - Throws: `missing` without libgbm, libEGL or a driver.
    init(of card: AtomicCard, _ request: ModeRequest) throws(DisplayError) {
        device = try GBMDevice(of: card)
        compositor = try GLESCompositor(
            size: request.stage, in: GLESContext(on: GLESDisplay(on: device), isRedFirst: true))
        compositor.mounting = request.mounting
    }

    /// nil if `drawing` leaves it to the processor.
    convenience init?(
        for drawing: ScreenDrawing, on card: any KMSDevice, _ request: ModeRequest
    ) throws(DisplayError) {
        guard let card = card as? AtomicCard else { throw .missing("a card") }
        try self.init(of: card, request)
        if case .automatic = drawing, isSoftware { return nil }
    }

    var card: any KMSDevice { device.card }
    var isSoftware: Bool { compositor.context.isSoftware }

    func makeCanvasFramebuffer(_ size: PixelSize, for plane: UInt32) throws(DisplayError) -> any ScanoutBuffer {
        let context = compositor.context
        if modifiers?.plane != plane {
            compositor.wantsFence = context.hasFences && device.card.values(of: plane)[.inFence] != nil
            let taken = Set(device.card.modifiers(of: plane, showing: KMSPlane.xrgb8888))
            modifiers = (plane, context.display.modifiers(of: KMSPlane.xrgb8888).filter(taken.contains))
        }
        return try GBMFramebuffer(size, modifiers: modifiers?.both ?? [], of: device, in: context)
    }

    func aim(at buffer: (any ScanoutBuffer)?) { compositor.target = (buffer as? GBMFramebuffer)?.target }
    var hasDrawn: Bool { compositor.hasDrawn }
    func takeFence() -> FileDescriptor? { compositor.takeFence() }

    func draw(_ canvas: borrowing CanvasBuffer, on buffer: any ScanoutBuffer) throws(DisplayError) {
        let waits = compositor.wantsFence
        compositor.wantsFence = false
        aim(at: buffer)
        defer {
            aim(at: nil)
            compositor.wantsFence = waits
            compositor.forget(slot: .min)
        }
        try compositor.begin()
        compositor.draw(canvas, isOpaque: true, x: 0, y: 0, slot: .min, isChanged: true)
        try compositor.finish(into: canvas)
    }

    func read(_ buffer: any ScanoutBuffer, into canvas: borrowing CanvasBuffer) throws(DisplayError) {
        guard let buffer = buffer as? GBMFramebuffer else { return }
        try compositor.read(buffer.target, into: canvas)
    }

    func forgoFences() { compositor.wantsFence = false }
    func giveUp(_ why: DisplayError) { compositor.giveUp(why) }
}
