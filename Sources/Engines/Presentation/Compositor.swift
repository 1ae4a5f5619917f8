// SPDX-License-Identifier: Apache-2.0
import Conversion
import Media
import Scene
import Time

/// The scene in software: regions back to front, the ticker, the overlays, each over the regions of its layer. It knows what is stale on each canvas and
/// draws that alone. A single opaque region under nothing that moves is converted straight into the canvas; else each
/// picture is converted once, beside it, and copied to where it is seen.
/// - Thread: the render thread.
final class Compositor: SceneCompositor {
    let size: PixelSize
    let rate: Int
    /// Back to front.
    private(set) var tiles: [Tile] = []
    private(set) var ticker: TickerMotion?
    private(set) var fade: CrossFade?
    /// By plane.
    private(set) var overlays = [OverlayPicture?](repeating: nil, count: OverlayPlane.allCases.count)
    /// Pictures that could not be drawn, and why the first of them.
    private(set) var errors: (count: Int64, first: String?) = (0, nil)
    /// Of the output's two canvases.
    private var damage = [Damage(), Damage()]
    /// Regions are converted beside the canvas.
    private var retains = false
    private var converter = VideoConverter(contextLimit: StageLayout.regionLimit + 8)
    private var slates = SlatePainter()
    /// What is shown by itself, under the canvas.
    private var leftOut: (tile: Tile, area: PixelRectangle)?
    /// Made when the first canvas is completed.
    private var scratch: Surface?

    /// - Parameter rate: frames a second of the display.
    init(size: PixelSize, rate: Int) {
        self.size = size
        self.rate = rate
        damageAll()
    }

    private var stage: PixelRectangle { PixelRectangle(x: 0, y: 0, size: size) }

    /// Something moves by itself.
    var isMoving: Bool { ticker != nil || fade != nil }

    // MARK: What the scene is

    /// - Parameter regions: back to front.
    func setRegions(_ regions: [(Region, RegionState)], _ transition: StageTransition, at now: Monotonic) {
        leftOut = nil
        switch transition {
        case .cut: fade = nil
        case .crossFade(let duration):
            for tile in tiles where tile.state.hasChange { _ = tile.contentChanged() }
            let before = Surface(size)
            if let fade {
                before.canvas.mixture(of: fade.old.canvas, and: fade.new.canvas, weight: fade.progress.weight)
            } else {
                drawTiles(in: stage, on: before.canvas)
            }
            fade = CrossFade(duration, from: before, at: now)
        }
        tiles = regions.map { region, state in
            let same = tiles.first { $0.state === state }
            return Tile(region, state, on: size, reusing: same?.surface)
        }
        chooseWay()
        damageAll()
    }

    /// The region shows something else.
    func contentChanged(of state: RegionState) {
        for tile in tiles where tile.state === state {
            let before = tile.placement
            let changed = tile.contentChanged()
            if let leftOut, leftOut.tile === tile, tile.placement != nil, tile.placement == before { continue }
            damageAll(changed)
        }
    }

    func setOverlay(_ picture: OverlayPicture?, _ plane: OverlayPlane) {
        if let before = overlays[plane.rawValue] { damageCanvases(before.bounds) }
        overlays[plane.rawValue] = picture
        if let picture { damageCanvases(picture.bounds) }
    }

    func setTicker(_ strip: TickerStrip?) {
        if let before = ticker?.strip { damageCanvases(before.area) }
        ticker = strip.map { TickerMotion($0, rate: rate) }
        if let strip { damageCanvases(strip.area) }
        chooseWay()
    }

    /// The next frame of what moves by itself.
    func advance(to now: Monotonic) {
        ticker?.advance()
        if let strip = ticker?.strip { damageCanvases(strip.area) }
        if fade?.progress.advance(to: now) == false {
            fade = nil
            chooseWay()
            damageAll()
        }
    }

    private func chooseWay() {
        retains = tiles.count > 1 || isMoving || tiles.contains { $0.opacity < 255 }
    }

    private func damageAll() { damageAll(stage) }

    private func damageAll(_ rectangle: PixelRectangle) {
        damageCanvases(rectangle)
        fade?.damage.add(rectangle.intersection(stage))
    }

    private func damageCanvases(_ rectangle: PixelRectangle) {
        for index in damage.indices { damage[index].add(rectangle.intersection(stage)) }
    }

    // MARK: Drawing

    /// Makes the output's canvas what the scene is now.
    /// - Parameter index: which of the two it is.
    func compose(_ canvas: borrowing CanvasBuffer, index: Int) {
        if fade != nil {
            drawFade(on: canvas)
        } else {
            for rectangle in damage[index].rectangles { drawScene(in: rectangle, on: canvas) }
        }
        damage[index].clear()
    }

    /// Draws the whole scene, whatever the canvas holds.
    func paint(on canvas: borrowing CanvasBuffer) {
        if fade != nil { return drawFade(on: canvas) }
        drawScene(in: stage, on: canvas)
    }

    private func drawScene(in rectangle: PixelRectangle, on canvas: borrowing CanvasBuffer) {
        if !tiles.contains(where: { $0.region.layer > .video && $0.hides(rectangle) }) {
            drawTiles(in: rectangle, on: canvas)
        }
        drawAbove(in: rectangle, on: canvas)
    }

    private func drawFade(on canvas: borrowing CanvasBuffer) {
        guard let old = fade?.old, let new = fade?.new, let weight = fade?.progress.weight else { return }
        if let damage = fade?.damage.rectangles { for rectangle in damage { drawTiles(in: rectangle, on: new.canvas) } }
        fade?.damage.clear()
        canvas.mixture(of: old.canvas, and: new.canvas, weight: weight)
        drawAbove(in: stage, on: canvas)
    }

    /// Those of the layer video.
    private func drawTiles(in rectangle: PixelRectangle, on canvas: borrowing CanvasBuffer) {
        let ofVideo = tiles.prefix { $0.region.layer == .video }
        let lowest = ofVideo.lastIndex { $0.hides(rectangle) }
        if lowest == nil { canvas.fill(rectangle, SlatePainter.background) }
        for tile in ofVideo[(lowest ?? 0)...] {
            draw(tile, ifSeenIn: rectangle, on: canvas)
        }
    }

    private func draw(_ tile: Tile, ifSeenIn rectangle: PixelRectangle, on canvas: borrowing CanvasBuffer) {
        let clip = tile.area.intersection(rectangle)
        if !clip.isEmpty, tile.opacity > 0 { draw(tile, in: clip, on: canvas) }
    }

    private func draw(_ tile: Tile, in clip: PixelRectangle, on canvas: borrowing CanvasBuffer) {
        if let leftOut, leftOut.tile === tile {
            fillBeside(leftOut.area, in: clip, on: canvas)
            return canvas.fill(leftOut.area.intersection(clip), 0)
        }
        if let placement = tile.placement {
            if !retains, clip.contains(placement.destination) {
                fillBeside(placement.destination, in: clip, on: canvas)
                return convert(tile, placement, to: placement.destination, of: canvas)
            }
        } else if let slate = tile.state.slate {
            if !retains, clip == stage { return write(slate, on: canvas) }
        } else {
            return canvas.fill(clip, SlatePainter.background, opacity: tile.opacity)
        }
        let surface = tile.surfaceForDrawing()
        if tile.isSurfaceStale { refresh(tile, surface) }
        canvas.draw(surface.canvas, x: tile.area.x, y: tile.area.y, in: clip, opacity: tile.opacity)
    }

    private func refresh(_ tile: Tile, _ surface: Surface) {
        tile.isSurfaceStale = false
        if let placement = tile.placement {
            var destination = placement.destination
            destination.x -= tile.area.x
            destination.y -= tile.area.y
            fillBeside(destination, in: PixelRectangle(x: 0, y: 0, size: surface.size), on: surface.canvas)
            convert(tile, placement, to: destination, of: surface.canvas)
        } else if let slate = tile.state.slate {
            write(slate, on: surface.canvas)
        }
    }

    /// Black on what of `clip` the picture does not cover.
    private func fillBeside(_ picture: PixelRectangle, in clip: PixelRectangle, on canvas: borrowing CanvasBuffer) {
        guard !picture.contains(clip) else { return }
        let black: UInt32 = 0xff00_0000
        func fill(_ x: Int, _ y: Int, _ right: Int, _ bottom: Int) {
            let size = PixelSize(width: right - x, height: bottom - y)
            if size.width > 0, size.height > 0 { canvas.fill(PixelRectangle(x: x, y: y, size: size), black) }
        }
        fill(clip.x, clip.y, clip.right, picture.y)
        fill(clip.x, picture.y, picture.x, picture.bottom)
        fill(picture.right, picture.y, clip.right, picture.bottom)
        fill(clip.x, picture.bottom, clip.right, clip.bottom)
    }

    private func convert(
        _ tile: Tile, _ placement: Placement, to destination: PixelRectangle, of canvas: borrowing CanvasBuffer
    ) {
        do {
            try tile.state.withPicture { frame, field in
                try converter.draw(
                    frame, field: field, crop: placement.crop, rotation: placement.rotation, in: destination,
                    of: canvas)
            }
        } catch {
            note(error)
        }
    }

    // MARK: What is shown by itself

    var separable: Tile? {
        guard fade == nil else { return nil }
        var largest: Tile?
        for tile in tiles where tile.region.layer == .video && tile.isSeparable {
            if tile.pixels >= largest?.pixels ?? 0 { largest = tile }
        }
        return largest
    }

    func leaveOut(_ part: (tile: Tile, area: PixelRectangle)?) {
        guard leftOut?.tile !== part?.tile || leftOut?.area != part?.area else { return }
        for tile in [leftOut?.tile, part?.tile] { if let tile { damageCanvases(tile.area) } }
        leftOut = part
    }

    func isCurrent(index: Int) -> Bool { fade == nil && damage[index].rectangles.isEmpty }

    func complete(_ canvas: borrowing CanvasBuffer) {
        guard let leftOut, let placement = leftOut.tile.placement else { return }
        let above = scratch ?? Surface(size)
        scratch = above
        canvas.copyTo(above.canvas)
        convert(leftOut.tile, placement, to: placement.destination, of: canvas)
        canvas.blend(above.canvas, x: 0, y: 0, in: leftOut.area)
    }

    private func write(_ slate: Slate, on canvas: borrowing CanvasBuffer) {
        do { try slates.draw(slate, on: canvas) } catch { note(error) }
    }

    private func note(_ error: any Error) {
        if errors.count == 0 { errors.first = "\(error)" }
        errors.count += 1
    }

    /// Ticker, and the layers above: of each its regions, and then its overlays (PLAY-39).
    private func drawAbove(in rectangle: PixelRectangle, on canvas: borrowing CanvasBuffer) {
        if let ticker {
            let strip = ticker.strip
            let clip = strip.area.intersection(rectangle)
            canvas.blend(clip, strip.band)
            let text = PixelRectangle(x: ticker.x, y: strip.area.y, size: strip.canvas.size)
            canvas.blend(strip.canvas, x: text.x, y: text.y, in: text.intersection(clip))
        }
        for layer in StageLayer.allCases {
            for tile in tiles where layer > .video && tile.region.layer == layer {
                draw(tile, ifSeenIn: rectangle, on: canvas)
            }
            for plane in OverlayPlane.allCases where plane.layer == layer {
                guard let overlay = overlays[plane.rawValue] else { continue }
                let clip = overlay.bounds.intersection(rectangle)
                canvas.blend(overlay.canvas, x: overlay.x, y: overlay.y, in: clip)
            }
        }
    }
}

extension CanvasBuffer {
    fileprivate var size: PixelSize { PixelSize(width: width, height: height) }
}

extension OverlayPicture {
    fileprivate var bounds: PixelRectangle { PixelRectangle(x: x, y: y, size: canvas.size) }
}
