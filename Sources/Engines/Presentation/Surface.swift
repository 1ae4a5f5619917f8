// SPDX-License-Identifier: Apache-2.0
import Media
import Scene

/// A canvas of the render thread, in addition to the output's own.
final class Surface {
    let canvas: CanvasBuffer

    init(_ size: PixelSize) { canvas = CanvasBuffer(width: size.width, height: size.height) }

    var size: PixelSize { PixelSize(width: canvas.width, height: canvas.height) }
}
