// SPDX-License-Identifier: Apache-2.0
internal import CGLESShims
import Scene

/// Draws a canvas without scaling.
final class CanvasProgram {
    private let program: Program
    private let context: GLESContext
    private let origin, start, steps, isOpaque, isTurned, opacity: GLint

    private static let text = """
        #version 300 es
        precision highp float;
        precision highp int;
        uniform highp sampler2D canvas;
        uniform ivec2 origin;                     // of the place where it is drawn
        uniform ivec2 start;                      // the pixel that is drawn there
        uniform ivec4 steps;                      // to the pixel that is drawn on the right, and below
        uniform bool isOpaque;
        uniform bool isTurned;                    // red and blue
        uniform float opacity;
        out vec4 pixel;
        void main() {
            ivec2 place = ivec2(gl_FragCoord.xy) - origin;
            pixel = texelFetch(canvas, start + place.x * steps.xy + place.y * steps.zw, 0);
            if (isTurned) pixel = pixel.bgra;
            if (isOpaque) pixel.a = 1.0;
            pixel *= opacity;
        }
        """

    init(in context: GLESContext) throws(DisplayError) {
        self.context = context
        program = try Program(Self.text, in: context)
        (origin, isOpaque) = (program.uniform("origin"), program.uniform("isOpaque"))
        (start, steps) = (program.uniform("start"), program.uniform("steps"))
        (isTurned, opacity) = (program.uniform("isTurned"), program.uniform("opacity"))
    }

    /// Draws within the scissors, which are inside the canvas's place with its origin at `x`, `y`.
    /// - Parameter isDrawn: true for a texture drawn in this context, with its order of colours; false for a canvas.
    func draw(_ canvas: Texture, x: Int, y: Int, isDrawn: Bool = false, isOpaque claimed: Bool, opacity weight: Int) {
        let whole = PixelRectangle(x: 0, y: 0, size: canvas.size)
        place(canvas, part: whole, rotation: .upright, x: x, y: y)
        paint(isDrawn: isDrawn, isOpaque: claimed, opacity: weight)
    }

    /// Draws a part of a texture that was drawn in this context, rotated, with the origin of the result at `x`, `y`.
    /// The scissors are inside its place.
    func draw(_ drawn: Texture, part: PixelRectangle, rotation: QuarterTurn, x: Int, y: Int) {
        place(drawn, part: part, rotation: rotation, x: x, y: y)
        paint(isDrawn: true, isOpaque: true, opacity: 255)
    }

    private func place(_ canvas: Texture, part: PixelRectangle, rotation: QuarterTurn, x: Int, y: Int) {
        let reading = rotation.reading(of: part.size)
        program.use()
        canvas.bind(to: 0)
        let gl = context.calls
        gl.glUniform2i(origin, GLint(x), GLint(y))
        gl.glUniform2i(start, GLint(part.x + reading.first.x), GLint(part.y + reading.first.y))
        gl.glUniform4i(
            steps, GLint(reading.right.x), GLint(reading.right.y), GLint(reading.below.x), GLint(reading.below.y))
    }

    private func paint(isDrawn: Bool, isOpaque claimed: Bool, opacity weight: Int) {
        let gl = context.calls
        gl.glUniform1i(isOpaque, claimed ? 1 : 0)
        gl.glUniform1i(isTurned, context.isRedFirst && !isDrawn ? 1 : 0)
        gl.glUniform1f(opacity, Float(max(0, min(255, weight))) / 255)
        gl.glDrawArrays(GLenum(GL_TRIANGLES), 0, 3)
    }
}
