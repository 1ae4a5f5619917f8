// SPDX-License-Identifier: Apache-2.0
import Display
import Media
import Scene
import Time

/// Draws the scene by OpenGL ES, completely for each frame: into the buffer that the output shows, or read back into
/// its canvas. Unchanged pictures stay uploaded. If OpenGL ES is missing or fails, the scene is drawn in software from
/// then on, which counts as one error.
/// - Thread: the render thread, from `init` to `deinit`.
final class GLESSceneCompositor: SceneCompositor {
    private let rate: Int
    private var device: GLESCompositor?
    /// The software compositor, which has the scene after a failure of OpenGL ES; nil before.
    private(set) var software: Compositor?
    private var scene: StageScene
    private var failure: String?
    private var fade: FadeProgress?
    /// A number for each region's picture, by the region's slot; it changes with the picture.
    private var versions: [Int: Int] = [:]
    private var lastVersion = 0
    /// Slots whose canvas has changed since it was uploaded.
    private var stale: Set<Int> = []
    private let slates = SlatePainter()

    /// The regions' slots count from 0; the slots of ticker and overlays are negative.
    private static let tickerSlot = -1
    private static func slot(of plane: OverlayPlane) -> Int { -2 - plane.rawValue }

    init(
        size: PixelSize, rate: Int,
        makeDevice: (PixelSize) throws(DisplayError) -> GLESCompositor = { size throws(DisplayError) in
            try GLESCompositor(size: size)
        }
    ) {
        self.rate = rate
        scene = StageScene(size: size)
        do { device = try makeDevice(size) } catch { fallBack(error) }
    }

    var tiles: [Tile] { software?.tiles ?? scene.tiles }
    var ticker: TickerMotion? { software.map(\.ticker) ?? scene.ticker }
    var isMoving: Bool { software?.isMoving ?? (scene.ticker != nil || fade != nil) }
    var errors: (count: Int64, first: String?) {
        let drawn: (count: Int64, first: String?) = software?.errors ?? (0, nil)
        return failure == nil ? drawn : (drawn.count + 1, failure)
    }

    private(set) var imports: (count: Int64, refusal: String?) = (0, nil)
    private var importRefusal: DisplayError?

    /// Hands the scene over to the software compositor.
    private func fallBack(_ error: any Error) {
        failure = "drawn in software, as OpenGL ES is not to be had: \(error)"
        device = nil
        let other = Compositor(size: scene.size, rate: rate)
        other.setRegions(scene.tiles.map { ($0.region, $0.state) }, .cut, at: Monotonic(nanoseconds: 0))
        for plane in OverlayPlane.allCases { other.setOverlay(scene[plane], plane) }
        other.setTicker(scene.ticker?.strip)
        software = other
        (scene, fade) = (StageScene(size: scene.size), nil)
    }

    // MARK: Changes of the scene

    func setRegions(_ regions: [(Region, RegionState)], _ transition: StageTransition, at now: Monotonic) {
        if let software { return software.setRegions(regions, transition, at: now) }
        switch transition {
        case .cut:
            fade = nil
            device?.forgetKept()
        case .crossFade(let duration):
            for tile in scene.tiles where tile.state.hasChange { contentChanged(of: tile.state) }
            do {
                try device?.begin()
                drawVideo()
                device?.keep()
                fade = FadeProgress(duration, at: now)
            } catch {
                fallBack(error)
                software?.setRegions(regions, .cut, at: now)
                return
            }
        }
        let known = scene.tiles
        for tile in known where !regions.contains(where: { $1 === tile.state }) {
            device?.forget(slot: tile.state.slot)
            versions[tile.state.slot] = nil
        }
        for (_, state) in regions where !known.contains(where: { $0.state === state }) { renew(state) }
        scene.setRegions(regions)
    }

    private func renew(_ state: RegionState) {
        lastVersion += 1
        versions[state.slot] = lastVersion
    }

    func contentChanged(of state: RegionState) {
        if let software { return software.contentChanged(of: state) }
        // A change of the field does not change the picture.
        if case .field = state.change { return }
        renew(state)
        for tile in scene.tiles where tile.state === state { _ = tile.contentChanged() }
    }

    func setOverlay(_ picture: OverlayPicture?, _ plane: OverlayPlane) {
        if let software { return software.setOverlay(picture, plane) }
        scene[plane] = picture
        if picture == nil { device?.forget(slot: Self.slot(of: plane)) } else { stale.insert(Self.slot(of: plane)) }
    }

    func setTicker(_ strip: TickerStrip?) {
        if let software { return software.setTicker(strip) }
        scene.ticker = strip.map { TickerMotion($0, rate: rate) }
        if strip == nil { device?.forget(slot: Self.tickerSlot) } else { stale.insert(Self.tickerSlot) }
    }

    func advance(to now: Monotonic, at position: Nanoseconds?) {
        if let software { return software.advance(to: now, at: position) }
        scene.ticker?.advance(at: position)
        if fade?.advance(to: now) == false {
            fade = nil
            device?.forgetKept()
        }
    }

    // MARK: Drawing

    func compose(_ canvas: borrowing CanvasBuffer, index: Int) {
        if software == nil { draw(on: canvas) { gl, canvas throws(DisplayError) in try gl.finish(into: canvas) } }
        software?.compose(canvas, index: index)
    }

    func paint(on canvas: borrowing CanvasBuffer) {
        if software == nil { draw(on: canvas) { gl, canvas throws(DisplayError) in try gl.readBack(into: canvas) } }
        software?.paint(on: canvas)
    }

    /// Draws by OpenGL ES. If it fails, `software` is set, and the caller draws `canvas` again with it.
    private func draw(
        on canvas: borrowing CanvasBuffer,
        end: (GLESCompositor, borrowing CanvasBuffer) throws(DisplayError) -> Void
    ) {
        guard let device else { return }
        do {
            try device.begin()
            drawScene()
            try end(device, canvas)
            noteImports(of: device)
        } catch {
            fallBack(error)
        }
    }

    private func noteImports(of device: GLESCompositor) {
        let (count, refusal) = device.imports
        imports.count = count
        guard refusal != importRefusal else { return }
        importRefusal = refusal
        imports.refusal = refusal.map { "\($0)" }
    }

    private func drawScene() {
        if fade == nil { return scene.visit(in: scene.bounds) { part, _ in draw(part) } }
        drawVideo()
        scene.visitAbove(in: scene.bounds) { part, _ in draw(part) }
    }

    /// Draws the layer video and, during a cross-fade, the fading picture of the previous layout over it.
    private func drawVideo() {
        scene.visitVideo(in: scene.bounds) { part, _ in draw(part) }
        if let fade { device?.drawKept(opacity: 255 - fade.weight) }
    }

    /// Draws a part completely; the device cuts off what lies outside the stage.
    private func draw(_ part: StageScene.Part) {
        switch part {
        case .background: device?.fill(scene.bounds, premultiplied: SlatePainter.background)
        case .region(let tile): draw(tile)
        case .ticker(let ticker):
            let strip = ticker.strip
            device?.fill(strip.area, premultiplied: strip.band)
            device?.draw(
                strip.canvas, x: ticker.x, y: strip.area.y, in: strip.area, slot: Self.tickerSlot,
                isChanged: stale.remove(Self.tickerSlot) != nil)
        case .overlay(let overlay, let plane):
            let slot = Self.slot(of: plane)
            device?.draw(
                overlay.canvas, x: overlay.x, y: overlay.y, slot: slot, isChanged: stale.remove(slot) != nil)
        }
    }

    private func draw(_ tile: Tile) {
        let slot = tile.state.slot
        if let placement = tile.placement {
            let black = Self.premultiplied(0x00_0000, opacity: tile.opacity)
            tile.area.beside(placement.destination) { device?.fill($0, premultiplied: black) }
            tile.state.withPicture { frame, field in
                device?.draw(frame, field: field, at: placement, slot: slot, version: versions[slot] ?? 0)
            }
        } else if let slate = tile.state.slate {
            let surface = tile.surfaceForDrawing()
            let isStale = tile.isSurfaceStale
            tile.isSurfaceStale = false
            if isStale {
                do {
                    try slates.draw(slate, tile.state.logo, on: surface.canvas)
                } catch {
                    failure = failure ?? "\(error)"
                }
            }
            device?.draw(
                surface.canvas, isOpaque: true, x: tile.area.x, y: tile.area.y, opacity: tile.opacity, slot: slot,
                isChanged: isStale)
        } else {
            device?.fill(
                tile.area, premultiplied: Self.premultiplied(SlatePainter.background, opacity: tile.opacity))
        }
    }

    /// - Parameter colour: 0xRRGGBB; the highest octet is ignored.
    private static func premultiplied(_ colour: UInt32, opacity: Int) -> UInt32 {
        let weight = UInt32(truncatingIfNeeded: max(0, min(255, opacity)))
        func part(_ shift: UInt32) -> UInt32 { ((((colour >> shift) & 0xff) * weight + 127) / 255) << shift }
        return weight << 24 | part(16) | part(8) | part(0)
    }
}
