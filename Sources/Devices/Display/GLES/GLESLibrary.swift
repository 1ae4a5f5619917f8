// SPDX-License-Identifier: Apache-2.0
internal import CGLESShims

/// libEGL and the functions of OpenGL ES that it knows, opened when first asked for.
final class GLESLibrary: @unchecked Sendable {
    // Sendable: pointers to functions, written before anybody reads.
    let calls: touchline_gles
    /// EGL's own, which no display has.
    let extensions: Set<String>

    /// One attempt in the life of a process; its answer does not change.
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
