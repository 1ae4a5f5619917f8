// SPDX-License-Identifier: Apache-2.0
internal import CGLESShims
import Media
import Scene

/// Draws a part of a picture, scaled, rotated and converted to the stage's colours.
final class PictureProgram {
    private let program: Program
    private let context: GLESContext
    private let turn, origin, reach, step, subsampling, siting, luma, chroma, arrangement, field: GLint
    private let fromLuma, fromFirst, fromSecond, offset, limits, transfer, opacity, whole, held: GLint
    private let readsShared: Bool

    /// - Parameter readsShared: whether the textures are a `PictureImporter`'s.
    init(readsShared: Bool = false, in context: GLESContext) throws(DisplayError) {
        self.context = context
        self.readsShared = readsShared
        program = try Program(PictureShader.text(readsShared: readsShared), in: context)
        (turn, origin, reach) = (program.uniform("turn"), program.uniform("origin"), program.uniform("reach"))
        (step, subsampling) = (program.uniform("step_"), program.uniform("subsampling"))
        (siting, luma, chroma) = (program.uniform("siting"), program.uniform("luma"), program.uniform("chroma"))
        (arrangement, field) = (program.uniform("arrangement"), program.uniform("field"))
        (fromLuma, fromFirst) = (program.uniform("fromLuma"), program.uniform("fromFirst"))
        (fromSecond, offset, limits) = (
            program.uniform("fromSecond"), program.uniform("offset"), program.uniform("limits")
        )
        (transfer, opacity) = (program.uniform("transfer"), program.uniform("opacity"))
        (whole, held) = (program.uniform("whole"), program.uniform("held"))
        program.use()
        for unit in Int32(0)...2 { context.calls.glUniform1i(program.uniform("plane\(unit)"), unit) }
    }

    /// Draws within the scissors, which are inside `placement.destination`.
    func draw(
        _ slot: TextureSlot, of frame: borrowing VideoFrame, field shown: VideoFrame.Field?, at placement: Placement
    ) {
        let gl = context.calls
        program.use()
        for (unit, texture) in slot.textures.enumerated() { texture.bind(to: Int32(unit)) }
        let layout = SampleLayout(frame.format)
        place(placement, layout, of: frame)
        gl.glUniform1f(whole, frame.format.sampleOctets == 1 ? 255 : 65_535)
        gl.glUniform1i(arrangement, GLint(slot.textures.count))
        gl.glUniform1i(field, shown == nil ? -1 : shown == .top ? 0 : 1)
        let colour = ColourTransform(layout, matrix: frame.matrix, isFullRange: frame.isFullRange)
        gl.glUniform3f(fromLuma, colour.luma.x, colour.luma.y, colour.luma.z)
        let isRedFirst = frame.format == .nv21
        let (first, second) = isRedFirst ? (colour.red, colour.blue) : (colour.blue, colour.red)
        gl.glUniform3f(fromFirst, first.x, first.y, first.z)
        gl.glUniform3f(fromSecond, second.x, second.y, second.z)
        gl.glUniform3f(offset, colour.offset.x, colour.offset.y, colour.offset.z)
        gl.glUniform2f(limits, colour.neutral, colour.highest)
        gl.glUniform1i(transfer, frame.transfer == .sdr ? 0 : frame.transfer == .pq ? 1 : 2)
        gl.glUniform1f(opacity, Float(max(0, min(255, placement.opacity))) / 255)
        gl.glDrawArrays(GLenum(GL_TRIANGLES), 0, 3)
    }

    /// Sets the transform from stage pixels to luma samples, and how many of the samples count.
    private func place(_ placement: Placement, _ layout: SampleLayout, of frame: borrowing VideoFrame) {
        let gl = context.calls
        var (crop, target) = (placement.crop, placement.destination)
        // Shared textures hold the whole coded picture.
        let (left, top) = readsShared ? frame.shared.map { ($0.left, $0.top) } ?? (0, 0) : (0, 0)
        (crop.x, crop.y) = (crop.x + left, crop.y + top)
        gl.glUniform4i(
            held, GLint(top), GLint(frame.height), GLint(top / layout.down),
            GLint((frame.height + layout.down - 1) / layout.down))
        let isSideways = placement.rotation.isSideways
        let scale = SIMD2(
            Float(crop.size.width) / Float(isSideways ? target.size.height : target.size.width),
            Float(crop.size.height) / Float(isSideways ? target.size.width : target.size.height))
        let (west, north) = (Float(target.x), Float(target.y))
        let (east, south) = (west + Float(target.size.width), north + Float(target.size.height))
        // Columns of the rotation, and which edges of the target become the left and upper edge of the crop.
        let (first, second, edges): (SIMD2<Float>, SIMD2<Float>, SIMD2<Float>) =
            switch placement.rotation {
            case .upright: (SIMD2(1, 0), SIMD2(0, 1), SIMD2(-west, -north))
            case .quarter: (SIMD2(0, -1), SIMD2(1, 0), SIMD2(-north, east))
            case .half: (SIMD2(-1, 0), SIMD2(0, -1), SIMD2(east, south))
            case .threeQuarters: (SIMD2(0, 1), SIMD2(-1, 0), SIMD2(south, -west))
            }
        let columns = (first * scale, second * scale)
        gl.glUniform4f(turn, columns.0.x, columns.0.y, columns.1.x, columns.1.y)
        let start = edges * scale + SIMD2(Float(crop.x), Float(crop.y)) - 0.5
        gl.glUniform2f(origin, start.x, start.y)
        gl.glUniform2f(reach, max(1, scale.x), max(1, scale.y))
        gl.glUniform2i(step, Self.step(scale.x), Self.step(scale.y))
        gl.glUniform2f(subsampling, Float(layout.across), Float(layout.down))
        gl.glUniform2f(siting, layout.siting, layout.down == 2 ? 0.5 : 0)
        gl.glUniform4i(
            luma, GLint(crop.x), GLint(crop.y), GLint(crop.x + crop.size.width - 1),
            GLint(crop.y + crop.size.height - 1))
        gl.glUniform4i(
            chroma, GLint(crop.x / layout.across), GLint(crop.y / layout.down),
            GLint((crop.x + crop.size.width + layout.across - 1) / layout.across - 1),
            GLint((crop.y + crop.size.height + layout.down - 1) / layout.down - 1))
    }

    /// At most 32 samples count in each direction; below a sixteenth of the size some are skipped.
    private static func step(_ scale: Float) -> GLint { GLint(max(1, (scale / 16).rounded(.up))) }
}
