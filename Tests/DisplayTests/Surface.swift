// SPDX-License-Identifier: Apache-2.0
import Media

/// A canvas that several may hold.
final class Surface {
    let canvas: CanvasBuffer

    init(_ width: Int, _ height: Int) { canvas = CanvasBuffer(width: width, height: height) }
}
