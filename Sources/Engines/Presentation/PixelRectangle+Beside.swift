// SPDX-License-Identifier: Apache-2.0
import Scene

extension PixelRectangle {
    /// Calls `body` for the up to four rectangles of this one that `inner` does not cover.
    func beside(_ inner: PixelRectangle, _ body: (PixelRectangle) -> Void) {
        let covered = inner.intersection(self)
        if covered.isEmpty { return body(self) }
        func lend(_ x: Int, _ y: Int, _ right: Int, _ bottom: Int) {
            let size = PixelSize(width: right - x, height: bottom - y)
            if size.width > 0, size.height > 0 { body(PixelRectangle(x: x, y: y, size: size)) }
        }
        lend(x, y, right, covered.y)
        lend(x, covered.y, covered.x, covered.bottom)
        lend(covered.right, covered.y, right, covered.bottom)
        lend(x, covered.bottom, right, bottom)
    }
}
