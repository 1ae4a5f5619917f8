// SPDX-License-Identifier: Apache-2.0
internal import CGLESShims

/// An OpenGL ES 3.0 context without a surface: it draws into textures and a card's framebuffers. Objects made in it
/// keep it alive.
/// - Thread: one, for it and every object made in it.
final class GLESContext {
    let calls: touchline_gles
    let display: GLESDisplay
    /// Whether pixels are drawn red first, as usual in OpenGL ES. Otherwise blue and red are swapped, so that read-back
    /// pixels have the order of a canvas.
    let isRedFirst: Bool
    /// The extensions of OpenGL ES.
    let extensions: Set<String>
    /// The name of the GPU or of the software renderer.
    let renderer: String
    private var context: EGLContext?

    init(on display: GLESDisplay, isRedFirst: Bool) throws(DisplayError) {
        self.display = display
        self.isRedFirst = isRedFirst
        calls = display.calls
        // The bound API is a state of the thread, so it is set here.
        guard calls.eglBindAPI(EGLenum(EGL_OPENGL_ES_API)) == EGL_TRUE else {
            throw .egl("eglBindAPI", code: calls.eglGetError())
        }
        let attributes = [EGL_CONTEXT_MAJOR_VERSION, 3, EGL_CONTEXT_MINOR_VERSION, 0, EGL_NONE]
        guard let made = calls.eglCreateContext(display.handle, nil, nil, attributes) else {
            throw .egl("eglCreateContext", code: calls.eglGetError())
        }
        guard calls.eglMakeCurrent(display.handle, nil, nil, made) == EGL_TRUE else {
            let code = calls.eglGetError()
            _ = calls.eglDestroyContext(display.handle, made)
            throw .egl("eglMakeCurrent", code: code)
        }
        let text = { [calls] (name: Int32) -> UnsafePointer<CChar>? in
            calls.glGetString(GLenum(name)).map { UnsafeRawPointer($0).assumingMemoryBound(to: CChar.self) }
        }
        extensions = GLESLibrary.words(text(GL_EXTENSIONS))
        renderer = text(GL_RENDERER).map { String(cString: $0) } ?? ""
        context = made
    }

    deinit { lose() }

    /// Whether a software renderer draws, as Mesa does without a GPU.
    var isSoftware: Bool {
        ["llvmpipe", "softpipe", "swrast", "software"].contains { renderer.lowercased().contains($0) }
    }

    /// Makes this the current context of the thread.
    func makeCurrent() throws(DisplayError) {
        guard let context else { throw .egl("eglMakeCurrent", code: EGL_CONTEXT_LOST) }
        guard calls.eglMakeCurrent(display.handle, nil, nil, context) == EGL_TRUE else {
            throw .egl("eglMakeCurrent", code: calls.eglGetError())
        }
    }

    /// Deletes an object of this context, whichever context is current. Objects of a lost context are gone already.
    func delete(_ body: (touchline_gles) -> Void) {
        if (try? makeCurrent()) != nil { body(calls) }
    }

    /// Destroys the context with all its objects, as a reset of the GPU does.
    func lose() {
        guard let lost = context else { return }
        context = nil
        _ = calls.eglMakeCurrent(display.handle, nil, nil, nil)
        _ = calls.eglDestroyContext(display.handle, lost)
    }

    /// The first pending code of glGetError; nil if there is none. A lost context returns codes without end, so the
    /// loop is limited.
    func takeError() -> UInt32? {
        var first: UInt32?
        for _ in 0..<16 {
            let code = calls.glGetError()
            if code == GLenum(GL_NO_ERROR) { break }
            first = first ?? code
        }
        return first
    }
}
