// SPDX-License-Identifier: Apache-2.0
import Scene

/// A region on the stage: its area, and the place of its picture in it. Created for each layout.
/// - Thread: the render thread.
final class Tile {
    let region: Region
    let state: RegionState
    let area: PixelRectangle
    let opacity: Int
    /// The place of the picture that is shown; nil if none is shown.
    private(set) var placement: Placement?
    /// The region's pixels without what lies above them; allocated when the region is first drawn beside the canvas.
    var surface: Surface?
    var isSurfaceStale = true
    private let stage: PixelSize

    /// - Parameter surface: the surface of the same region in the previous layout; nil if there is none.
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

    /// The region shows another picture, field or slate.
    /// - Returns: the part of the stage that must be redrawn.
    func contentChanged() -> PixelRectangle {
        isSurfaceStale = true
        let before = placement
        placement = makePlacement()
        guard let placement, placement == before else { return area }
        return placement.destination
    }

    /// Whether its picture is opaque, upright and shown with all its rows.
    var isSeparable: Bool { opacity == 255 && state.showsWholePicture && placement?.rotation == .upright }

    /// The number of the stage's pixels that its picture covers.
    var pixels: Int { placement.map { $0.destination.size.width * $0.destination.size.height } ?? 0 }

    /// Whether it hides everything below it in the rectangle.
    func hides(_ rectangle: PixelRectangle) -> Bool { opacity == 255 && area.contains(rectangle) }

    func surfaceForDrawing() -> Surface {
        if let surface { return surface }
        let made = Surface(area.size)
        surface = made
        return made
    }
}
