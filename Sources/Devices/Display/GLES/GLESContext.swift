// SPDX-License-Identifier: Apache-2.0
internal import CGLESShims

/// An OpenGL ES 3.0 context that has no surface: it draws into textures, and into what a card shows. What is made in it
/// keeps it.
/// - Thread: one, that of every object made in it.
final class GLESContext {
    let calls: touchline_gles
    let display: GLESDisplay
    /// Pixels are drawn as OpenGL ES has them, red first; else blue takes red's place, so that they are read back as a
    /// canvas has them.
    let isRedFirst: Bool
    /// Of OpenGL ES.
    let extensions: Set<String>
    /// What draws: a GPU's name, or a program's.
    let renderer: String
    private var context: EGLContext?

    init(on display: GLESDisplay, isRedFirst: Bool) throws(DisplayError) {
        self.display = display
        self.isRedFirst = isRedFirst
        calls = display.calls
        // The API is the thread's own state.
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

    /// The processor draws: Mesa without a GPU.
    var isSoftware: Bool {
        ["llvmpipe", "softpipe", "swrast", "software"].contains { renderer.lowercased().contains($0) }
    }

    /// Until another context's on this thread, calls go to this one.
    func makeCurrent() throws(DisplayError) {
        guard let context else { throw .egl("eglMakeCurrent", code: EGL_CONTEXT_LOST) }
        guard calls.eglMakeCurrent(display.handle, nil, nil, context) == EGL_TRUE else {
            throw .egl("eglMakeCurrent", code: calls.eglGetError())
        }
    }

    /// Gives up something made in it, whichever context is current; what was in a lost one is gone already.
    func delete(_ body: (touchline_gles) -> Void) {
        if (try? makeCurrent()) != nil { body(calls) }
    }

    /// As a reset of the GPU would: what was made in it is gone.
    func lose() {
        guard let lost = context else { return }
        context = nil
        _ = calls.eglMakeCurrent(display.handle, nil, nil, nil)
        _ = calls.eglDestroyContext(display.handle, lost)
    }

    /// The first of glGetError's codes; a lost context has no end of them.
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
