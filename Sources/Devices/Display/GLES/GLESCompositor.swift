// SPDX-License-Identifier: Apache-2.0
internal import CGLESShims
import Media
import Scene

/// Draws a stage by OpenGL ES 3.0 into a texture, without a window or a device: on a GPU, or by Mesa's llvmpipe.
///
/// Each frame is `begin`, what lies on the stage from back to front, `readBack`. Rectangles may reach beyond the stage;
/// what is outside is cut off. A slot is a number of the caller's under which the pixels of one thing stay uploaded.
/// - Thread: one, on which it is made and ends; frames of two compositors do not overlap there.
public final class GLESCompositor {
    public let size: PixelSize
    /// Pixels each way that a picture or canvas may have.
    public let limit: Int
    private let context: SurfacelessContext
    private let pictures: PictureProgram
    private let canvases: CanvasProgram
    private let fills: FillProgram
    /// Its octets are blue, green, red, alpha, as a canvas's.
    private let stage: Texture
    private var framebuffer: GLuint = 0
    private var slots: [Int: TextureSlot] = [:]
    private var kept: Texture?
    private var isDrawing = false
    private var failure: DisplayError?

    /// - Throws: `missing` on a box without EGL's surfaceless platform, which is no fault of the caller's.
    public init(size: PixelSize) throws(DisplayError) {
        self.size = size
        let context = try SurfacelessContext()
        self.context = context
        let gl = context.calls
        var limit: GLint = 0
        gl.glGetIntegerv(GLenum(GL_MAX_TEXTURE_SIZE), &limit)
        self.limit = Int(limit)
        guard size.width <= limit, size.height <= limit else { throw .tooLarge(size, limit: Int(limit)) }
        pictures = try PictureProgram(in: context)
        canvases = try CanvasProgram(in: context)
        fills = try FillProgram(in: context)
        gl.glPixelStorei(GLenum(GL_UNPACK_ALIGNMENT), 1)
        gl.glDisable(GLenum(GL_DITHER))
        gl.glBlendFunc(GLenum(GL_ONE), GLenum(GL_ONE_MINUS_SRC_ALPHA))
        stage = Texture(.canvas, size: size, in: context)
        gl.glGenFramebuffers(1, &framebuffer)
        gl.glBindFramebuffer(GLenum(GL_FRAMEBUFFER), framebuffer)
        gl.glFramebufferTexture2D(
            GLenum(GL_FRAMEBUFFER), GLenum(GL_COLOR_ATTACHMENT0), GLenum(GL_TEXTURE_2D), stage.name, 0)
        let status = gl.glCheckFramebufferStatus(GLenum(GL_FRAMEBUFFER))
        guard status == GLenum(GL_FRAMEBUFFER_COMPLETE) else { throw .gl(code: status) }
        if let code = takeError() { throw .gl(code: code) }
    }

    deinit {
        var old = framebuffer
        context.delete { $0.glDeleteFramebuffers(1, &old) }
    }

    /// Clears the stage to opaque black.
    /// - Throws: when the context is lost; draw nothing then, and make another compositor or do without.
    public func begin() throws(DisplayError) {
        isDrawing = false
        failure = nil
        try context.makeCurrent()
        isDrawing = true
        let gl = context.calls
        gl.glBindFramebuffer(GLenum(GL_FRAMEBUFFER), framebuffer)
        gl.glViewport(0, 0, GLsizei(size.width), GLsizei(size.height))
        gl.glDisable(GLenum(GL_SCISSOR_TEST))
        gl.glClearColor(0, 0, 0, 1)
        gl.glClear(GLbitfield(GL_COLOR_BUFFER_BIT))
        gl.glEnable(GLenum(GL_SCISSOR_TEST))
    }

    /// - Parameter premultiplied: 0xAARRGGBB.
    public func fill(_ rectangle: PixelRectangle, premultiplied colour: UInt32) {
        guard aim(at: rectangle, isOpaque: colour >> 24 == 0xff) else { return }
        fills.draw(premultiplied: colour)
    }

    /// Draws the part of a picture that `placement` says.
    /// - Parameters:
    ///   - field: the one to show, with the rows of the other interpolated; nil: all rows as they are.
    ///   - version: what was drawn last from the slot under the same number is not uploaded again.
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
        slot.upload(frame, version: version)
        pictures.draw(slot, of: frame, field: field, at: placement)
    }

    /// Draws a canvas with its origin at `x`, `y`, one pixel for one.
    /// - Parameters:
    ///   - isOpaque: its fourth octets say nothing; else they are alpha, and the colours multiplied by it.
    ///   - clip: of the stage; nil: all of it.
    ///   - opacity: 0...255.
    ///   - isChanged: false when its pixels are those that were drawn last from the slot.
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
        canvases.draw(texture, x: x, y: y, isOpaque: isOpaque, opacity: opacity)
    }

    /// Remembers what is drawn so far, for `drawKept`.
    public func keep() {
        guard isDrawing else { return }
        let texture = kept ?? Texture(.canvas, size: size, in: context)
        kept = texture
        texture.copyFromFramebuffer()
    }

    /// Draws what was kept, if anything was, over all of the stage.
    /// - Parameter opacity: 0...255.
    public func drawKept(opacity: Int) {
        let all = PixelRectangle(x: 0, y: 0, size: size)
        guard let kept, aim(at: all, isOpaque: opacity >= 255) else { return }
        canvases.draw(kept, x: 0, y: 0, isOpaque: true, opacity: opacity)
    }

    public func forgetKept() { kept = nil }

    /// Gives the slot's memory back.
    public func forget(slot key: Int) { slots[key] = nil }

    /// Waits until everything is drawn, and copies it.
    /// - Parameter canvas: of the stage's size.
    /// - Throws: the first failure since `begin`; the canvas holds what could be drawn.
    public func readBack(into canvas: borrowing CanvasBuffer) throws(DisplayError) {
        precondition(canvas.width == size.width && canvas.height == size.height)
        guard isDrawing else { throw failure ?? .egl("eglMakeCurrent", code: EGL_CONTEXT_LOST) }
        isDrawing = false
        try context.makeCurrent()  // it may have been lost since
        let gl = context.calls
        gl.glPixelStorei(GLenum(GL_PACK_ROW_LENGTH), GLint(canvas.stride / 4))
        gl.glReadPixels(
            0, 0, GLsizei(size.width), GLsizei(size.height), GLenum(GL_RGBA), GLenum(GL_UNSIGNED_BYTE),
            canvas.bytes.baseAddress)
        if let code = takeError(), failure == nil { failure = .gl(code: code) }
        if let failure { throw failure }
    }

    /// As a reset of the GPU would; for tests.
    package func loseContext() { context.lose() }

    /// Nothing outside `rectangle` is drawn from here on.
    /// - Returns: whether anything is left.
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

    /// The first of the codes; a lost context has no end of them.
    private func takeError() -> UInt32? {
        var first: UInt32?
        for _ in 0..<16 {
            let code = context.calls.glGetError()
            if code == GLenum(GL_NO_ERROR) { break }
            first = first ?? code
        }
        return first
    }
}
