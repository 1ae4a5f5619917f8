// SPDX-License-Identifier: Apache-2.0
internal import CGLESShims

/// Draws one colour.
final class FillProgram {
    private let program: Program
    private let context: GLESContext
    private let colour: GLint

    private static let text = """
        #version 300 es
        precision highp float;
        uniform vec4 colour;
        uniform bool isRedFirst;
        out vec4 pixel;
        void main() { pixel = isRedFirst ? colour.bgra : colour; }
        """

    init(in context: GLESContext) throws(DisplayError) {
        self.context = context
        program = try Program(Self.text, in: context)
        colour = program.uniform("colour")
    }

    /// - Parameter premultiplied: 0xAARRGGBB.
    func draw(premultiplied: UInt32) {
        let gl = context.calls
        program.use()
        func part(_ shift: UInt32) -> Float { Float(premultiplied >> shift & 0xff) / 255 }
        gl.glUniform4f(colour, part(0), part(8), part(16), part(24))
        gl.glDrawArrays(GLenum(GL_TRIANGLES), 0, 3)
    }
}
