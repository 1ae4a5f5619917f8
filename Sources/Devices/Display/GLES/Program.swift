// SPDX-License-Identifier: Apache-2.0
internal import CGLESShims

/// A fragment shader that runs for every pixel inside the scissors.
final class Program {
    private let name: GLuint
    private let context: GLESContext
    private var order: GLint = -1

    /// One triangle that covers the stage; nothing is interpolated over it.
    private static let everywhere = """
        #version 300 es
        void main() {
            gl_Position = vec4(vec2(gl_VertexID & 1, gl_VertexID >> 1) * 4.0 - 1.0, 0.0, 1.0);
        }
        """

    /// - Parameter fragments: source of the fragment shader; it has a uniform `isRedFirst`, which `use` sets.
    init(_ fragments: String, in context: GLESContext) throws(DisplayError) {
        self.context = context
        let gl = context.calls
        name = gl.glCreateProgram()
        for (kind, text) in [(GL_VERTEX_SHADER, Self.everywhere), (GL_FRAGMENT_SHADER, fragments)] {
            let shader = gl.glCreateShader(GLenum(kind))
            text.withCString { text in
                var text: UnsafePointer<GLchar>? = text
                gl.glShaderSource(shader, 1, &text, nil)
            }
            gl.glCompileShader(shader)
            gl.glAttachShader(name, shader)
            var isCompiled: GLint = 0
            gl.glGetShaderiv(shader, GLenum(GL_COMPILE_STATUS), &isCompiled)
            let log = isCompiled == 0 ? Self.log { gl.glGetShaderInfoLog(shader, $0, $1, $2) } : nil
            gl.glDeleteShader(shader)  // freed with the program
            if let log { throw .shader(log) }
        }
        gl.glLinkProgram(name)
        var isLinked: GLint = 0
        gl.glGetProgramiv(name, GLenum(GL_LINK_STATUS), &isLinked)
        if isLinked == 0 {
            let program = name
            throw .shader(Self.log { gl.glGetProgramInfoLog(program, $0, $1, $2) })
        }
        order = uniform("isRedFirst")
    }

    deinit { context.delete { $0.glDeleteProgram(name) } }

    func use() {
        context.calls.glUseProgram(name)
        context.calls.glUniform1i(order, context.isRedFirst ? 1 : 0)
    }

    /// -1, which every call ignores, if the compiler has removed the uniform.
    func uniform(_ uniform: String) -> GLint { context.calls.glGetUniformLocation(name, uniform) }

    private static func log(
        _ read: (GLsizei, UnsafeMutablePointer<GLsizei>?, UnsafeMutablePointer<GLchar>?) -> Void
    ) -> String {
        withUnsafeTemporaryAllocation(of: GLchar.self, capacity: 1_024) { buffer in
            var count: GLsizei = 0
            read(GLsizei(buffer.count), &count, buffer.baseAddress)
            return String(decoding: buffer.prefix(Int(max(0, count))).map { UInt8(bitPattern: $0) }, as: UTF8.self)
        }
    }
}
