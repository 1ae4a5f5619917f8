// SPDX-License-Identifier: Apache-2.0
internal import CGLESShims

/// An OpenGL ES 3.0 context that draws into textures alone. What is made in it keeps it.
/// - Thread: one, that of every object made in it.
final class SurfacelessContext {
    let calls: touchline_gles
    private let display: EGLDisplay
    private var context: EGLContext?

    init() throws(DisplayError) {
        let library = try GLESLibrary.opened.get()
        calls = library.calls
        display = library.display
        // The API is the thread's own state.
        guard calls.eglBindAPI(EGLenum(EGL_OPENGL_ES_API)) == EGL_TRUE else {
            throw .egl("eglBindAPI", code: calls.eglGetError())
        }
        let attributes = [EGL_CONTEXT_MAJOR_VERSION, 3, EGL_CONTEXT_MINOR_VERSION, 0, EGL_NONE]
        context = calls.eglCreateContext(display, nil, nil, attributes)
        guard context != nil else { throw .egl("eglCreateContext", code: calls.eglGetError()) }
        try makeCurrent()
    }

    deinit { lose() }

    /// Until another context's on this thread, calls go to this one.
    func makeCurrent() throws(DisplayError) {
        guard let context else { throw .egl("eglMakeCurrent", code: EGL_CONTEXT_LOST) }
        guard calls.eglMakeCurrent(display, nil, nil, context) == EGL_TRUE else {
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
        _ = calls.eglMakeCurrent(display, nil, nil, nil)
        _ = calls.eglDestroyContext(display, lost)
    }
}
