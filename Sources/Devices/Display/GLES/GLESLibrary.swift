// SPDX-License-Identifier: Apache-2.0
internal import CGLESShims

/// libEGL and the functions of OpenGL ES that it knows, opened when first asked for.
final class GLESLibrary: @unchecked Sendable {
    // Sendable: pointers to functions, written before anybody reads.
    let calls: touchline_gles
    /// The surfaceless platform's. It belongs to the process: ending it would end the contexts of every other user.
    let display: EGLDisplay

    /// One attempt in the life of a process; its answer does not change.
    static let opened = Result { () throws(DisplayError) in try GLESLibrary() }

    private init() throws(DisplayError) {
        var calls = touchline_gles()
        if let name = touchline_gles_load(&calls) { throw .missing(String(cString: name)) }
        let anywhere = Self.words(calls.eglQueryString(nil, EGL_EXTENSIONS))
        guard anywhere.contains("EGL_MESA_platform_surfaceless") else {
            throw .missing("EGL_MESA_platform_surfaceless")
        }
        let platform = EGLenum(EGL_PLATFORM_SURFACELESS_MESA)
        guard let display = calls.eglGetPlatformDisplay(platform, nil, nil) else {
            throw .egl("eglGetPlatformDisplay", code: calls.eglGetError())
        }
        guard calls.eglInitialize(display, nil, nil) == EGL_TRUE else {
            throw .egl("eglInitialize", code: calls.eglGetError())
        }
        let here = Self.words(calls.eglQueryString(display, EGL_EXTENSIONS))
        for name in ["EGL_KHR_surfaceless_context", "EGL_KHR_no_config_context"] where !here.contains(name) {
            throw .missing(name)
        }
        self.calls = calls
        self.display = display
    }

    private static func words(_ text: UnsafePointer<CChar>?) -> [String] {
        text.map { String(cString: $0).split(separator: " ").map(String.init) } ?? []
    }
}
