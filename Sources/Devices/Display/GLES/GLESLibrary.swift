// SPDX-License-Identifier: Apache-2.0
internal import CGLESShims

/// libEGL and the functions of OpenGL ES, loaded at first use.
final class GLESLibrary: @unchecked Sendable {
    // Sendable: the function pointers are written in `init` only.
    let calls: touchline_gles
    /// The client extensions of EGL, which belong to no display.
    let extensions: Set<String>

    /// Tried once per process, because the answer does not change.
    static let opened = Result { () throws(DisplayError) in try GLESLibrary() }

    private init() throws(DisplayError) {
        var calls = touchline_gles()
        if let name = touchline_gles_load(&calls) { throw .missing(String(cString: name)) }
        extensions = Self.words(calls.eglQueryString(nil, EGL_EXTENSIONS))
        self.calls = calls
    }

    static func words(_ text: UnsafePointer<CChar>?) -> Set<String> {
        Set(text.map { String(cString: $0).split(separator: " ").map(String.init) } ?? [])
    }
}
