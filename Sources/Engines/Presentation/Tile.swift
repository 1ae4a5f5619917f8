// SPDX-License-Identifier: Apache-2.0
import Scene

/// A region in space: its pixels on the stage, and what it holds of them. Made anew for each layout.
/// - Thread: the render thread.
final class Tile {
    let region: Region
    let state: RegionState
    let area: PixelRectangle
    let opacity: Int
    /// Of the picture that is shown; nil when none is.
    private(set) var placement: Placement?
    /// The region's pixels as they are below everything else; made when they are needed beside the output's.
    var surface: Surface?
    var isSurfaceStale = true
    private let stage: PixelSize

    /// - Parameter surface: of the same region in the layout before.
    init(_ region: Region, _ state: RegionState, on stage: PixelSize, reusing surface: Surface?) {
        self.region = region
        self.state = state
        self.stage = stage
        area = region.area.pixels(of: stage)
        opacity = region.opacityOf255
        if surface?.size == area.size { self.surface = surface }
        placement = makePlacement()
    }

    private func makePlacement() -> Placement? {
        state.shape.map {
            region.placement(of: $0.size, pixelAspect: ($0.aspectWidth, $0.aspectHeight), on: stage)
        }
    }

    /// The region shows something else.
    /// - Returns: what of the stage has to be drawn again.
    func contentChanged() -> PixelRectangle {
        isSurfaceStale = true
        let before = placement
        placement = makePlacement()
        guard let placement, placement == before else { return area }
        return placement.destination
    }

    /// Its picture is shown whole, upright and opaque.
    var isSeparable: Bool { opacity == 255 && state.showsWholePicture && placement?.rotation == .upright }

    /// Of its picture.
    var pixels: Int { placement.map { $0.destination.size.width * $0.destination.size.height } ?? 0 }

    /// Nothing below it is seen there.
    func hides(_ rectangle: PixelRectangle) -> Bool { opacity == 255 && area.contains(rectangle) }

    func surfaceForDrawing() -> Surface {
        if let surface { return surface }
        let made = Surface(area.size)
        surface = made
        return made
    }
}
