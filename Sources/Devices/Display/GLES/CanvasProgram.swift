// SPDX-License-Identifier: Apache-2.0
internal import CGLESShims

/// Draws a canvas without scaling.
final class CanvasProgram {
    private let program: Program
    private let context: GLESContext
    private let origin, isOpaque, isTurned, opacity: GLint

    private static let text = """
        #version 300 es
        precision highp float;
        precision highp int;
        uniform highp sampler2D canvas;
        uniform ivec2 origin;
        uniform bool isOpaque;
        uniform bool isTurned;                    // red and blue
        uniform float opacity;
        out vec4 pixel;
        void main() {
            pixel = texelFetch(canvas, ivec2(gl_FragCoord.xy) - origin, 0);
            if (isTurned) pixel = pixel.bgra;
            if (isOpaque) pixel.a = 1.0;
            pixel *= opacity;
        }
        """

    init(in context: GLESContext) throws(DisplayError) {
        self.context = context
        program = try Program(Self.text, in: context)
        (origin, isOpaque) = (program.uniform("origin"), program.uniform("isOpaque"))
        (isTurned, opacity) = (program.uniform("isTurned"), program.uniform("opacity"))
    }

    /// Draws within the scissors, which are inside the canvas's place with its origin at `x`, `y`.
    /// - Parameter isDrawn: true for a texture drawn in this context, with its order of colours; false for a canvas.
    func draw(_ canvas: Texture, x: Int, y: Int, isDrawn: Bool = false, isOpaque claimed: Bool, opacity weight: Int) {
        let gl = context.calls
        program.use()
        canvas.bind(to: 0)
        gl.glUniform2i(origin, GLint(x), GLint(y))
        gl.glUniform1i(isOpaque, claimed ? 1 : 0)
        gl.glUniform1i(isTurned, context.isRedFirst && !isDrawn ? 1 : 0)
        gl.glUniform1f(opacity, Float(max(0, min(255, weight))) / 255)
        gl.glDrawArrays(GLenum(GL_TRIANGLES), 0, 3)
    }
}
