// SPDX-License-Identifier: Apache-2.0
import Media
import Scene

/// What people see of a stage on a screen that hangs on its side or upside down, or that cuts off its edges: pixel by
/// pixel, and not as the product computes it.
extension Surface {
    /// A stage on which each pixel has a colour of its own, up to 1,024 to each side.
    convenience init(ofStage mounting: ScreenMounting, on screen: PixelSize) {
        let size = mounting.stage(on: screen)
        self.init(size.width, size.height)
        for y in 0..<size.height {
            for x in 0..<size.width { canvas.set(x, y, x & 255, y & 255, 0x60 | (x >> 8) << 3 | y >> 8) }
        }
    }

    /// Black beside the stage.
    func mounted(_ mounting: ScreenMounting, on screen: PixelSize) -> Surface {
        let seen = Surface(screen.width, screen.height)
        let left = screen.width * mounting.overscanPercent / 100
        let top = screen.height * mounting.overscanPercent / 100
        for y in 0..<canvas.height {
            for x in 0..<canvas.width {
                let (column, row) =
                    switch mounting.rotation {
                    case .upright: (x, y)
                    case .quarter: (canvas.height - 1 - y, x)
                    case .half: (canvas.width - 1 - x, canvas.height - 1 - y)
                    case .threeQuarters: (y, canvas.width - 1 - x)
                    }
                let colour = canvas.pixel(x, y)
                seen.canvas.set(left + column, top + row, colour.blue, colour.green, colour.red)
            }
        }
        return seen
    }
}
