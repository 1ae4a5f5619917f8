// SPDX-License-Identifier: Apache-2.0
internal import CGLESShims
import Scene

/// An OpenGL ES framebuffer object that draws into a texture or into memory that a card shows. Its first row is the top
/// one.
final class RenderTarget {
    let size: PixelSize
    private let context: GLESContext
    /// The texture that it draws into; nil if that is memory which a card shows.
    let texture: Texture?
    private var framebuffer: GLuint = 0
    private var renderbuffer: GLuint = 0

    init(_ texture: Texture, in context: GLESContext) throws(DisplayError) {
        self.context = context
        self.texture = texture
        size = texture.size
        try attach { gl in
            gl.glFramebufferTexture2D(
                GLenum(GL_FRAMEBUFFER), GLenum(GL_COLOR_ATTACHMENT0), GLenum(GL_TEXTURE_2D), texture.name, 0)
        }
    }

    /// Draws into the image's memory, which outlives the image.
    init(_ image: GLESImage, in context: GLESContext) throws(DisplayError) {
        self.context = context
        texture = nil
        size = image.size
        let gl = context.calls
        guard context.extensions.contains("GL_OES_EGL_image") else { throw .missing("GL_OES_EGL_image") }
        gl.glGenRenderbuffers(1, &renderbuffer)
        gl.glBindRenderbuffer(GLenum(GL_RENDERBUFFER), renderbuffer)
        gl.glEGLImageTargetRenderbufferStorageOES(GLenum(GL_RENDERBUFFER), image.handle)
        let made = renderbuffer
        try attach { gl in
            gl.glFramebufferRenderbuffer(
                GLenum(GL_FRAMEBUFFER), GLenum(GL_COLOR_ATTACHMENT0), GLenum(GL_RENDERBUFFER), made)
        }
    }

    deinit {
        context.delete {
            $0.glDeleteFramebuffers(1, &framebuffer)
            if renderbuffer != 0 { $0.glDeleteRenderbuffers(1, &renderbuffer) }
        }
    }

    private func attach(_ body: (touchline_gles) -> Void) throws(DisplayError) {
        let gl = context.calls
        gl.glGenFramebuffers(1, &framebuffer)
        bind()
        body(gl)
        let status = gl.glCheckFramebufferStatus(GLenum(GL_FRAMEBUFFER))
        if let code = context.takeError() { throw .gl(code: code) }
        guard status == GLenum(GL_FRAMEBUFFER_COMPLETE) else { throw .gl(code: status) }
    }

    /// Makes it the target of drawing, reading and copying.
    func bind() { context.calls.glBindFramebuffer(GLenum(GL_FRAMEBUFFER), framebuffer) }

    /// Fills it with black and waits until that is done.
    func clear() {
        let gl = context.calls
        bind()
        gl.glDisable(GLenum(GL_SCISSOR_TEST))
        gl.glClearColor(0, 0, 0, 1)
        gl.glClear(GLbitfield(GL_COLOR_BUFFER_BIT))
        gl.glFinish()
    }
}
