// SPDX-License-Identifier: Apache-2.0
import Scene

/// What the stage consists of, and the one order in which every compositor draws it: the regions of the layer video,
/// the ticker, then for each layer its regions and its overlays (PLAY-39).
/// - Thread: the render thread's alone.
struct StageScene {
    /// A part of the scene, to be drawn within a rectangle.
    enum Part {
        /// What no region covers.
        case background
        case region(Tile)
        case ticker(TickerMotion)
        case overlay(OverlayPicture, OverlayPlane)
    }

    let size: PixelSize
    /// Back to front.
    private(set) var tiles: [Tile] = []
    var ticker: TickerMotion?
    /// One for each `OverlayPlane`, by its number.
    private var overlays = [OverlayPicture?](repeating: nil, count: OverlayPlane.allCases.count)

    init(size: PixelSize) { self.size = size }

    /// The whole stage.
    var bounds: PixelRectangle { PixelRectangle(x: 0, y: 0, size: size) }

    /// - Parameter regions: back to front.
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

    /// Visits what is seen in a rectangle, back to front.
    /// - Parameter draw: a part, and what of the rectangle it may cover.
    func visit(in rectangle: PixelRectangle, _ draw: (Part, PixelRectangle) -> Void) {
        if !tiles.contains(where: { $0.region.layer > .video && $0.hides(rectangle) }) {
            visitVideo(in: rectangle, draw)
        }
        visitAbove(in: rectangle, draw)
    }

    /// Visits the regions of the layer video, from the highest that hides all below it.
    func visitVideo(in rectangle: PixelRectangle, _ draw: (Part, PixelRectangle) -> Void) {
        let ofVideo = tiles.prefix { $0.region.layer == .video }
        let lowest = ofVideo.lastIndex { $0.hides(rectangle) }
        if lowest == nil { draw(.background, rectangle) }
        for tile in ofVideo[(lowest ?? 0)...] { visit(tile, in: rectangle, draw) }
    }

    /// Visits what lies above the layer video.
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
    /// Its place on the stage; what lies outside is cut off.
    var bounds: PixelRectangle {
        PixelRectangle(x: x, y: y, size: PixelSize(width: canvas.width, height: canvas.height))
    }
}
