// SPDX-License-Identifier: Apache-2.0

/// The shader programs that a stage is drawn with.
struct StagePrograms {
    let pictures: PictureProgram
    let canvases: CanvasProgram
    let fills: FillProgram

    init(in context: GLESContext) throws(DisplayError) {
        pictures = try PictureProgram(in: context)
        canvases = try CanvasProgram(in: context)
        fills = try FillProgram(in: context)
    }
}
