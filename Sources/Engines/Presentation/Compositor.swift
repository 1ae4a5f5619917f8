// SPDX-License-Identifier: Apache-2.0
import Conversion
import Media
import Scene
import Time

/// Draws the scene in software. It tracks the damage of each of the output's canvases and redraws only that. A single
/// opaque region with nothing moving over it is converted directly into the canvas. Otherwise each picture is converted
/// once into a surface of its own and copied from there.
/// - Thread: the render thread.
final class Compositor: SceneCompositor {
    private let rate: Int
    private var scene: StageScene
    private(set) var fade: CrossFade?
    /// The number of pictures that could not be drawn, and the reason for the first.
    private(set) var errors: (count: Int64, first: String?) = (0, nil)
    /// The damage of each of the output's two canvases.
    private var damage = [Damage(), Damage()]
    /// Whether regions are converted into surfaces of their own.
    private var retains = false
    private var converter = VideoConverter(contextLimit: StageLayout.regionLimit + 8)
    private let slates = SlatePainter()
    /// The region whose picture the output shows on a plane below the canvas, and the area that is transparent for it;
    /// nil if everything is composed.
    private var leftOut: (tile: Tile, area: PixelRectangle)?
    /// Allocated when `complete` is first called.
    private var scratch: Surface?

    /// - Parameter rate: frames a second of the display.
    init(size: PixelSize, rate: Int) {
        self.rate = rate
        scene = StageScene(size: size)
        damageAll()
    }

    var tiles: [Tile] { scene.tiles }
    var ticker: TickerMotion? { scene.ticker }
    var isMoving: Bool { scene.ticker != nil || fade != nil }

    // MARK: Changes of the scene

    func setRegions(_ regions: [(Region, RegionState)], _ transition: StageTransition, at now: Monotonic) {
        leftOut = nil
        switch transition {
        case .cut: fade = nil
        case .crossFade(let duration):
            for tile in tiles where tile.state.hasChange { _ = tile.contentChanged() }
            let before = Surface(scene.size)
            if let fade {
                before.canvas.mixture(of: fade.old.canvas, and: fade.new.canvas, weight: fade.progress.weight)
            } else {
                drawVideo(in: scene.bounds, on: before.canvas)
            }
            fade = CrossFade(duration, from: before, at: now)
        }
        scene.setRegions(regions)
        chooseRetaining()
        damageAll()
    }

    func contentChanged(of state: RegionState) {
        for tile in tiles where tile.state === state {
            let before = tile.placement
            let changed = tile.contentChanged()
            if let leftOut, leftOut.tile === tile, tile.placement != nil, tile.placement == before { continue }
            damageAll(changed)
        }
    }

    func setOverlay(_ picture: OverlayPicture?, _ plane: OverlayPlane) {
        if let before = scene[plane] { damageCanvases(before.bounds) }
        scene[plane] = picture
        if let picture { damageCanvases(picture.bounds) }
    }

    func setTicker(_ strip: TickerStrip?) {
        if let before = ticker?.strip { damageCanvases(before.area) }
        scene.ticker = strip.map { TickerMotion($0, rate: rate) }
        if let strip { damageCanvases(strip.area) }
        chooseRetaining()
    }

    func advance(to now: Monotonic, at position: Nanoseconds?) {
        scene.ticker?.advance(at: position)
        if let strip = ticker?.strip { damageCanvases(strip.area) }
        if fade?.progress.advance(to: now) == false {
            fade = nil
            chooseRetaining()
            damageAll()
        }
    }

    private func chooseRetaining() {
        retains = tiles.count > 1 || isMoving || tiles.contains { $0.opacity < 255 }
    }

    private func damageAll() { damageAll(scene.bounds) }

    private func damageAll(_ rectangle: PixelRectangle) {
        damageCanvases(rectangle)
        fade?.damage.add(rectangle.intersection(scene.bounds))
    }

    private func damageCanvases(_ rectangle: PixelRectangle) {
        for index in damage.indices { damage[index].add(rectangle.intersection(scene.bounds)) }
    }

    // MARK: Drawing

    func compose(_ canvas: borrowing CanvasBuffer, index: Int) {
        if fade != nil {
            drawFade(on: canvas)
        } else {
            for rectangle in damage[index].rectangles { drawScene(in: rectangle, on: canvas) }
        }
        damage[index].clear()
    }

    func paint(on canvas: borrowing CanvasBuffer) {
        if fade != nil { return drawFade(on: canvas) }
        drawScene(in: scene.bounds, on: canvas)
    }

    private func drawScene(in rectangle: PixelRectangle, on canvas: borrowing CanvasBuffer) {
        scene.visit(in: rectangle) { part, clip in draw(part, in: clip, on: canvas) }
    }

    private func drawVideo(in rectangle: PixelRectangle, on canvas: borrowing CanvasBuffer) {
        scene.visitVideo(in: rectangle) { part, clip in draw(part, in: clip, on: canvas) }
    }

    private func drawFade(on canvas: borrowing CanvasBuffer) {
        guard let old = fade?.old, let new = fade?.new, let weight = fade?.progress.weight else { return }
        if let damage = fade?.damage.rectangles { for rectangle in damage { drawVideo(in: rectangle, on: new.canvas) } }
        fade?.damage.clear()
        canvas.mixture(of: old.canvas, and: new.canvas, weight: weight)
        scene.visitAbove(in: scene.bounds) { part, clip in draw(part, in: clip, on: canvas) }
    }

    private func draw(_ part: StageScene.Part, in clip: PixelRectangle, on canvas: borrowing CanvasBuffer) {
        switch part {
        case .background: canvas.fill(clip, SlatePainter.background)
        case .region(let tile): draw(tile, in: clip, on: canvas)
        case .ticker(let ticker):
            let strip = ticker.strip
            canvas.blend(clip, strip.band)
            let text = PixelRectangle(x: ticker.x, y: strip.area.y, size: strip.canvas.size)
            canvas.blend(strip.canvas, x: text.x, y: text.y, in: text.intersection(clip))
        case .overlay(let overlay, _): canvas.blend(overlay.canvas, x: overlay.x, y: overlay.y, in: clip)
        }
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
            if !retains, clip == scene.bounds { return write(slate, of: tile, on: canvas) }
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
            write(slate, of: tile, on: surface.canvas)
        }
    }

    /// Fills the part of `clip` that the picture does not cover with black.
    private func fillBeside(_ picture: PixelRectangle, in clip: PixelRectangle, on canvas: borrowing CanvasBuffer) {
        clip.beside(picture) { canvas.fill($0, 0xff00_0000) }
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

    private func write(_ slate: Slate, of tile: Tile, on canvas: borrowing CanvasBuffer) {
        do { try slates.draw(slate, tile.state.logo, on: canvas) } catch { note(error) }
    }

    private func note(_ error: any Error) {
        if errors.count == 0 { errors.first = "\(error)" }
        errors.count += 1
    }

    // MARK: A picture under the canvas

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
        let above = scratch ?? Surface(scene.size)
        scratch = above
        canvas.copyTo(above.canvas)
        convert(leftOut.tile, placement, to: placement.destination, of: canvas)
        canvas.blend(above.canvas, x: 0, y: 0, in: leftOut.area)
    }
}

extension CanvasBuffer {
    fileprivate var size: PixelSize { PixelSize(width: width, height: height) }
}
