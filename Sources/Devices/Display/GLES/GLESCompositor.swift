// SPDX-License-Identifier: Apache-2.0
internal import CGLESShims
import Media
import Scene
import System

/// Draws a stage by OpenGL ES 3.0 without a window, on a GPU or by Mesa's llvmpipe, into a texture or a card's
/// framebuffer.
///
/// Each frame is `begin`, then the contents of the stage from back to front, then `finish`. What lies outside the stage
/// is cut off. A slot is a number chosen by the caller, under which the pixels of one object stay uploaded.
/// - Thread: one, which creates and releases it; frames of two compositors must not overlap there.
public final class GLESCompositor {
    public let size: PixelSize
    /// Greatest width and height of a picture or canvas in pixels.
    public let limit: Int
    let context: GLESContext
    private let programs: StagePrograms
    /// Tests replace it.
    var importer: PictureImporter
    /// The target if no other is set; it is read back.
    private let stage: RenderTarget
    /// The framebuffer to draw into; nil to draw into `stage`.
    var target: RenderTarget? { didSet { if target != nil { hasDrawn = false } } }
    /// How the stage lies in `target`.
    var mounting = ScreenMounting()
    /// Where the stage of a `target` is drawn that does not show it upright and in its own size; nil before the first.
    private var unmounted: RenderTarget?
    /// Whether a whole frame was drawn into `target` since it was set.
    private(set) var hasDrawn = false
    /// Whether the plane that shows `target` can wait for a fence.
    var wantsFence = false
    private var fence: FileDescriptor?
    private var refusal: DisplayError?
    private var slots: [Int: TextureSlot] = [:]
    private var kept: Texture?
    private var isDrawing = false
    private var failure: DisplayError?

    /// - Throws: `missing` without EGL's surfaceless platform.
    public convenience init(size: PixelSize) throws(DisplayError) {
        try self.init(size: size, in: GLESContext(on: GLESDisplay.surfaceless.get(), isRedFirst: false))
    }

    /// Number of pictures drawn from their decoder's memory without a copy, and why the last other picture had to be
    /// copied.
    public var imports: (count: Int64, refusal: DisplayError?) { (importer.count, importer.refusal) }

    /// - Parameter context: current on this thread.
    init(size: PixelSize, in context: GLESContext) throws(DisplayError) {
        self.size = size
        self.context = context
        let gl = context.calls
        var limit: GLint = 0
        gl.glGetIntegerv(GLenum(GL_MAX_TEXTURE_SIZE), &limit)
        self.limit = Int(limit)
        guard size.width <= limit, size.height <= limit else { throw .tooLarge(size, limit: Int(limit)) }
        programs = try StagePrograms(in: context)
        importer = PictureImporter(in: context)
        gl.glPixelStorei(GLenum(GL_UNPACK_ALIGNMENT), 1)
        gl.glDisable(GLenum(GL_DITHER))
        gl.glBlendFunc(GLenum(GL_ONE), GLenum(GL_ONE_MINUS_SRC_ALPHA))
        stage = try RenderTarget(Texture(.canvas, size: size, in: context), in: context)
        if let code = context.takeError() { throw .gl(code: code) }
    }

    /// Stops drawing: from now on `begin` throws this reason.
    func giveUp(_ why: DisplayError) { refusal = why }

    /// Clears the stage to opaque black.
    /// - Throws: if the context is lost; this compositor cannot draw any more then.
    public func begin() throws(DisplayError) {
        isDrawing = false
        hasDrawn = false
        failure = nil
        if let refusal { throw refusal }
        try context.makeCurrent()
        clear(try drawingTarget(for: target))
        isDrawing = true
    }

    /// Makes it the target of drawing and fills it with opaque black.
    private func clear(_ target: RenderTarget) {
        let gl = context.calls
        target.bind()
        gl.glViewport(0, 0, GLsizei(target.size.width), GLsizei(target.size.height))
        gl.glDisable(GLenum(GL_SCISSOR_TEST))
        gl.glClearColor(0, 0, 0, 1)
        gl.glClear(GLbitfield(GL_COLOR_BUFFER_BIT))
        gl.glEnable(GLenum(GL_SCISSOR_TEST))
    }

    // MARK: Mounting

    private func isMounting(_ target: RenderTarget) -> Bool { target.size != size || mounting.rotation != .upright }

    /// What the stage of a target is drawn into: the target itself, or a texture from which it is mounted there.
    private func drawingTarget(for target: RenderTarget?) throws(DisplayError) -> RenderTarget {
        guard let target else { return stage }
        guard isMounting(target) else { return target }
        if let unmounted { return unmounted }
        let made = try RenderTarget(Texture(.canvas, size: size, in: context), in: context)
        unmounted = made
        return made
    }

    private func mount(on target: RenderTarget) {
        guard let texture = unmounted?.texture else { return }
        clear(target)
        let (part, area) = mounting.share(of: size, on: target.size)
        let gl = context.calls
        gl.glScissor(GLint(area.x), GLint(area.y), GLsizei(area.size.width), GLsizei(area.size.height))
        gl.glDisable(GLenum(GL_BLEND))
        programs.canvases.draw(texture, part: part, rotation: mounting.rotation, x: area.x, y: area.y)
    }

    // MARK: Drawing

    /// - Parameter premultiplied: 0xAARRGGBB.
    public func fill(_ rectangle: PixelRectangle, premultiplied colour: UInt32) {
        guard aim(at: rectangle, isOpaque: colour >> 24 == 0xff) else { return }
        programs.fills.draw(premultiplied: colour)
    }

    /// Draws a part of a picture as given by `placement`.
    /// - Parameters:
    ///   - field: the field to show, with the other field's rows interpolated; nil shows all rows unchanged.
    ///   - version: a picture that was last drawn from the slot with the same number is not uploaded again.
    public func draw(
        _ frame: borrowing VideoFrame, field: VideoFrame.Field? = nil, at placement: Placement, slot key: Int,
        version: Int
    ) {
        let crop = placement.crop
        precondition(crop.x >= 0 && crop.y >= 0 && crop.size.width > 0 && crop.size.height > 0)
        precondition(crop.x + crop.size.width <= frame.width && crop.y + crop.size.height <= frame.height)
        guard fits(frame.width, frame.height), aim(at: placement.destination, isOpaque: placement.opacity >= 255)
        else { return }
        let slot = slot(key)
        if slot.adopt(frame, version: version, by: importer), let program = try? importer.program() {
            return program.draw(slot, of: frame, field: field, at: placement)
        }
        slot.upload(frame, version: version)
        programs.pictures.draw(slot, of: frame, field: field, at: placement)
    }

    /// Draws a canvas with its origin at `x`, `y`, one pixel for one.
    /// - Parameters:
    ///   - isOpaque: true if the fourth octets are meaningless; false if they are alpha, with colours multiplied by it.
    ///   - clip: nothing is drawn outside; nil for the whole stage.
    ///   - opacity: 0...255.
    ///   - isChanged: false if the canvas has the same pixels as when it was last drawn from the slot.
    public func draw(
        _ canvas: borrowing CanvasBuffer, isOpaque: Bool = false, x: Int, y: Int, in clip: PixelRectangle? = nil,
        opacity: Int = 255, slot key: Int, isChanged: Bool
    ) {
        let area = PixelRectangle(x: x, y: y, size: PixelSize(width: canvas.width, height: canvas.height))
        guard fits(canvas.width, canvas.height), aim(at: area, in: clip, isOpaque: isOpaque && opacity >= 255)
        else { return }
        let slot = slot(key)
        if isChanged || !slot.holdsCanvas(of: area.size) { slot.upload(canvas) }
        guard let texture = slot.textures.first else { return }
        programs.canvases.draw(texture, x: x, y: y, isOpaque: isOpaque, opacity: opacity)
    }

    /// Keeps a copy of what has been drawn so far, for `drawKept`.
    public func keep() {
        guard isDrawing else { return }
        let texture = kept ?? Texture(.canvas, size: size, in: context)
        kept = texture
        texture.copyFromFramebuffer()
    }

    /// Draws the kept copy, if there is one, over all of the stage.
    /// - Parameter opacity: 0...255.
    public func drawKept(opacity: Int) {
        let all = PixelRectangle(x: 0, y: 0, size: size)
        guard let kept, aim(at: all, isOpaque: opacity >= 255) else { return }
        programs.canvases.draw(kept, x: 0, y: 0, isDrawn: true, isOpaque: true, opacity: opacity)
    }

    public func forgetKept() { kept = nil }

    /// Frees the slot's memory.
    public func forget(slot key: Int) { slots[key] = nil }

    /// Completes the frame. If no card shows it, this waits until everything is drawn, and copies it.
    /// - Parameter canvas: of the stage's size.
    /// - Throws: the first failure since `begin`; the canvas then holds what could be drawn.
    public func finish(into canvas: borrowing CanvasBuffer) throws(DisplayError) {
        guard let target else { return try readBack(into: canvas) }
        try end()
        if isMounting(target) { mount(on: target) }
        fence = wantsFence ? context.makeFence() : nil
        if fence == nil { context.calls.glFinish() }
        try settle()
        hasDrawn = true
    }

    /// As `finish`, but always copies.
    public func readBack(into canvas: borrowing CanvasBuffer) throws(DisplayError) {
        try end()
        read(into: canvas)
        try settle()
    }

    /// The fence of the frame that was finished last; nil if none is needed.
    func takeFence() -> FileDescriptor? { fence.take() }

    private func end() throws(DisplayError) {
        guard isDrawing else { throw failure ?? .egl("eglMakeCurrent", code: EGL_CONTEXT_LOST) }
        isDrawing = false
        try context.makeCurrent()  // it may have been lost since
    }

    private func settle() throws(DisplayError) {
        if let code = context.takeError(), failure == nil { failure = .gl(code: code) }
        if let failure { throw failure }
    }

    /// Copies the stage that was drawn into `other` last. This ends a frame that was begun.
    func read(_ other: RenderTarget, into canvas: borrowing CanvasBuffer) throws(DisplayError) {
        isDrawing = false
        try context.makeCurrent()
        try drawingTarget(for: other).bind()
        read(into: canvas)
        if let code = context.takeError() { throw .gl(code: code) }
    }

    private func read(into canvas: borrowing CanvasBuffer) {
        precondition(canvas.width == size.width && canvas.height == size.height)
        let gl = context.calls
        gl.glPixelStorei(GLenum(GL_PACK_ROW_LENGTH), GLint(canvas.stride / 4))
        gl.glReadPixels(
            0, 0, GLsizei(size.width), GLsizei(size.height), GLenum(GL_RGBA), GLenum(GL_UNSIGNED_BYTE),
            canvas.bytes.baseAddress)
        if context.isRedFirst { canvas.turn() }
    }

    /// Loses the context as a reset of the GPU does; for tests.
    package func loseContext() { context.lose() }

    /// Sets the scissors.
    /// - Returns: false if nothing of the rectangle is on the stage.
    private func aim(at rectangle: PixelRectangle, in clip: PixelRectangle? = nil, isOpaque: Bool) -> Bool {
        guard isDrawing else { return false }
        var (left, top) = (max(0, rectangle.x), max(0, rectangle.y))
        var right = min(size.width, rectangle.x + rectangle.size.width)
        var bottom = min(size.height, rectangle.y + rectangle.size.height)
        if let clip {
            (left, top) = (max(left, clip.x), max(top, clip.y))
            (right, bottom) = (min(right, clip.x + clip.size.width), min(bottom, clip.y + clip.size.height))
        }
        guard left < right, top < bottom else { return false }
        let gl = context.calls
        gl.glScissor(GLint(left), GLint(top), GLsizei(right - left), GLsizei(bottom - top))
        if isOpaque { gl.glDisable(GLenum(GL_BLEND)) } else { gl.glEnable(GLenum(GL_BLEND)) }
        return true
    }

    private func fits(_ width: Int, _ height: Int) -> Bool {
        if width <= limit, height <= limit { return true }
        if failure == nil { failure = .tooLarge(PixelSize(width: width, height: height), limit: limit) }
        return false
    }

    private func slot(_ key: Int) -> TextureSlot {
        if let slot = slots[key] { return slot }
        let made = TextureSlot(in: context)
        slots[key] = made
        return made
    }
}

extension CanvasBuffer {
    /// Swaps red and blue.
    fileprivate func turn() {
        for row in 0..<height {
            for pixel in 0..<width { bytes.swapAt(row * stride + pixel * 4, row * stride + pixel * 4 + 2) }
        }
    }
}
