// SPDX-License-Identifier: Apache-2.0
internal import CGLESShims

/// An EGL display, on which contexts are made: that of the surfaceless platform or of a card.
final class GLESDisplay: @unchecked Sendable {
    // Sendable: immutable, and EGL may be called from any thread.
    let calls: touchline_gles
    let handle: EGLDisplay
    let extensions: Set<String>
    /// nil for the surfaceless platform. Its display belongs to the process, and terminating it would end all contexts.
    private let card: GBMDevice?

    /// Tried once per process, because the answer does not change.
    static let surfaceless = Result { () throws(DisplayError) in
        try GLESDisplay(
            EGLenum(EGL_PLATFORM_SURFACELESS_MESA), nil, of: nil, needing: ["EGL_MESA_platform_surfaceless"])
    }

    convenience init(on card: GBMDevice) throws(DisplayError) {
        try self.init(
            EGLenum(EGL_PLATFORM_GBM_KHR), UnsafeMutableRawPointer(card.handle), of: card,
            needing: ["EGL_KHR_platform_gbm", "EGL_MESA_platform_gbm"])
    }

    /// - Parameter names: extensions of which at least one is required.
    private init(
        _ platform: EGLenum, _ native: UnsafeMutableRawPointer?, of card: GBMDevice?, needing names: [String]
    ) throws(DisplayError) {
        let library = try GLESLibrary.opened.get()
        let calls = library.calls
        guard !library.extensions.isDisjoint(with: names) else { throw .missing(names[0]) }
        guard let display = calls.eglGetPlatformDisplay(platform, native, nil) else {
            throw .egl("eglGetPlatformDisplay", code: calls.eglGetError())
        }
        guard calls.eglInitialize(display, nil, nil) == EGL_TRUE else {
            throw .egl("eglInitialize", code: calls.eglGetError())
        }
        self.calls = calls
        self.card = card
        handle = display
        extensions = GLESLibrary.words(calls.eglQueryString(display, EGL_EXTENSIONS))
        for name in ["EGL_KHR_surfaceless_context", "EGL_KHR_no_config_context"] where !extensions.contains(name) {
            throw .missing(name)
        }
    }

    deinit { if card != nil { _ = calls.eglTerminate(handle) } }

    /// The modifiers (`drm_fourcc.h`) with which a format can be drawn into.
    func modifiers(of format: UInt32) -> [UInt64] {
        guard extensions.contains("EGL_EXT_image_dma_buf_import_modifiers") else { return [] }
        var count: EGLint = 0
        let code = EGLint(bitPattern: format)
        let answer = calls.eglQueryDmaBufModifiersEXT(handle, code, 0, nil, nil, &count)
        guard answer == EGL_TRUE, (1...1_024).contains(count) else { return [] }
        var found = [UInt64](repeating: 0, count: Int(count))
        var isReadOnly = [EGLBoolean](repeating: 0, count: Int(count))
        guard calls.eglQueryDmaBufModifiersEXT(handle, code, count, &found, &isReadOnly, &count) == EGL_TRUE else {
            return []
        }
        return zip(found, isReadOnly).prefix(Int(count)).filter { $0.1 == EGL_FALSE }.map(\.0)
    }
}
