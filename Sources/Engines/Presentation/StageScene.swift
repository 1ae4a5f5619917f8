// SPDX-License-Identifier: Apache-2.0
import Scene

/// The contents of the stage and the one order in which every compositor draws them: the regions of the layer video,
/// the ticker, then for each layer its regions and its overlays (PLAY-39).
/// - Thread: the render thread.
struct StageScene {
    /// A part of the scene that is drawn within a rectangle.
    enum Part {
        /// The background, where no region covers it.
        case background
        case region(Tile)
        case ticker(TickerMotion)
        case overlay(OverlayPicture, OverlayPlane)
    }

    let size: PixelSize
    /// The regions from back to front.
    private(set) var tiles: [Tile] = []
    var ticker: TickerMotion?
    /// The picture of each `OverlayPlane`, by its raw value; nil if the plane is empty.
    private var overlays = [OverlayPicture?](repeating: nil, count: OverlayPlane.allCases.count)

    init(size: PixelSize) { self.size = size }

    /// The rectangle of the whole stage.
    var bounds: PixelRectangle { PixelRectangle(x: 0, y: 0, size: size) }

    /// - Parameter regions: from back to front.
    mutating func setRegions(_ regions: [(Region, RegionState)]) {
        let before = tiles
        tiles = regions.map { region, state in
            Tile(region, state, on: size, reusing: before.first { $0.state === state }?.surface)
        }
    }

    subscript(plane: OverlayPlane) -> OverlayPicture? {
        get { overlays[plane.rawValue] }
        set { overlays[plane.rawValue] = newValue }
    }

    // MARK: The order of drawing

    /// Visits the parts that are visible in a rectangle, back to front.
    /// - Parameter draw: called with a part and the rectangle that the part covers.
    func visit(in rectangle: PixelRectangle, _ draw: (Part, PixelRectangle) -> Void) {
        if !tiles.contains(where: { $0.region.layer > .video && $0.hides(rectangle) }) {
            visitVideo(in: rectangle, draw)
        }
        visitAbove(in: rectangle, draw)
    }

    /// Visits the regions of the layer video, beginning with the topmost that hides everything below it.
    func visitVideo(in rectangle: PixelRectangle, _ draw: (Part, PixelRectangle) -> Void) {
        let ofVideo = tiles.prefix { $0.region.layer == .video }
        let lowest = ofVideo.lastIndex { $0.hides(rectangle) }
        if lowest == nil { draw(.background, rectangle) }
        for tile in ofVideo[(lowest ?? 0)...] { visit(tile, in: rectangle, draw) }
    }

    /// Visits everything above the layer video.
    func visitAbove(in rectangle: PixelRectangle, _ draw: (Part, PixelRectangle) -> Void) {
        if let ticker {
            let clip = ticker.strip.area.intersection(rectangle)
            if !clip.isEmpty { draw(.ticker(ticker), clip) }
        }
        for layer in StageLayer.allCases {
            for tile in tiles where layer > .video && tile.region.layer == layer { visit(tile, in: rectangle, draw) }
            for plane in OverlayPlane.allCases where plane.layer == layer {
                guard let overlay = self[plane] else { continue }
                let clip = overlay.bounds.intersection(rectangle)
                if !clip.isEmpty { draw(.overlay(overlay, plane), clip) }
            }
        }
    }

    private func visit(_ tile: Tile, in rectangle: PixelRectangle, _ draw: (Part, PixelRectangle) -> Void) {
        let clip = tile.area.intersection(rectangle)
        if !clip.isEmpty, tile.opacity > 0 { draw(.region(tile), clip) }
    }
}

extension OverlayPicture {
    /// The place on the stage; it may extend beyond the stage.
    var bounds: PixelRectangle {
        PixelRectangle(x: x, y: y, size: PixelSize(width: canvas.width, height: canvas.height))
    }
}
