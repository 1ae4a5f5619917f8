// SPDX-License-Identifier: Apache-2.0
import Display
import Media
import Scene
import Time

/// The scene by OpenGL ES, anew for each frame: into what the output shows, or read back into its canvas. What has not
/// changed stays uploaded. Where that cannot be had, or fails, it is drawn in software from then on, and that is one error.
/// - Thread: the render thread, on which it is made and ends.
final class GLESSceneCompositor: SceneCompositor {
    private let size: PixelSize
    private let rate: Int
    private var device: GLESCompositor?
    /// What draws instead.
    private(set) var software: Compositor?
    private var ownTiles: [Tile] = []
    private var ownTicker: TickerMotion?
    private var failure: String?
    private var overlays = [OverlayPicture?](repeating: nil, count: OverlayPlane.allCases.count)
    private var fade: FadeProgress?
    /// By slot of the region: of the picture that it shows.
    private var versions: [Int: Int] = [:]
    private var lastVersion = 0
    /// Slots whose canvas is not the one that was uploaded.
    private var stale: Set<Int> = []
    private var slates = SlatePainter()

    /// Beside those of regions, which count from 0.
    private static let tickerSlot = -1
    private static func slot(of plane: OverlayPlane) -> Int { -2 - plane.rawValue }

    init(
        size: PixelSize, rate: Int,
        makeDevice: (PixelSize) throws(DisplayError) -> GLESCompositor = { size throws(DisplayError) in
            try GLESCompositor(size: size)
        }
    ) {
        self.size = size
        self.rate = rate
        do { device = try makeDevice(size) } catch { fallBack(error) }
    }

    var tiles: [Tile] { software?.tiles ?? ownTiles }
    var ticker: TickerMotion? { software.map(\.ticker) ?? ownTicker }
    var isMoving: Bool { software?.isMoving ?? (ownTicker != nil || fade != nil) }
    var errors: (count: Int64, first: String?) {
        let drawn: (count: Int64, first: String?) = software?.errors ?? (0, nil)
        return failure == nil ? drawn : (drawn.count + 1, failure)
    }

    private(set) var imports: (count: Int64, refusal: String?) = (0, nil)
    private var importRefusal: DisplayError?

    /// Gives the scene to the software compositor.
    private func fallBack(_ error: any Error) {
        failure = "drawn in software, as OpenGL ES is not to be had: \(error)"
        device = nil
        let other = Compositor(size: size, rate: rate)
        other.setRegions(ownTiles.map { ($0.region, $0.state) }, .cut, at: Monotonic(nanoseconds: 0))
        for plane in OverlayPlane.allCases { other.setOverlay(overlays[plane.rawValue], plane) }
        other.setTicker(ownTicker?.strip)
        software = other
        (ownTiles, ownTicker, fade) = ([], nil, nil)
        overlays = overlays.map { _ in nil }
    }

    // MARK: What the scene is

    func setRegions(_ regions: [(Region, RegionState)], _ transition: StageTransition, at now: Monotonic) {
        if let software { return software.setRegions(regions, transition, at: now) }
        switch transition {
        case .cut:
            fade = nil
            device?.forgetKept()
        case .crossFade(let duration):
            for tile in ownTiles where tile.state.hasChange { contentChanged(of: tile.state) }
            do {
                try device?.begin()
                drawRegions()
                device?.keep()
                fade = FadeProgress(duration, at: now)
            } catch {
                fallBack(error)
                software?.setRegions(regions, .cut, at: now)
                return
            }
        }
        for tile in ownTiles where !regions.contains(where: { $1 === tile.state }) {
            device?.forget(slot: tile.state.slot)
            versions[tile.state.slot] = nil
        }
        ownTiles = regions.map { region, state in
            let same = ownTiles.first { $0.state === state }
            if same == nil { renew(state) }
            return Tile(region, state, on: size, reusing: same?.surface)
        }
    }

    private func renew(_ state: RegionState) {
        lastVersion += 1
        versions[state.slot] = lastVersion
    }

    func contentChanged(of state: RegionState) {
        if let software { return software.contentChanged(of: state) }
        // Another field is of the same picture.
        if case .field = state.change { return }
        renew(state)
        for tile in ownTiles where tile.state === state { _ = tile.contentChanged() }
    }

    func setOverlay(_ picture: OverlayPicture?, _ plane: OverlayPlane) {
        if let software { return software.setOverlay(picture, plane) }
        overlays[plane.rawValue] = picture
        if picture == nil { device?.forget(slot: Self.slot(of: plane)) } else { stale.insert(Self.slot(of: plane)) }
    }

    func setTicker(_ strip: TickerStrip?) {
        if let software { return software.setTicker(strip) }
        ownTicker = strip.map { TickerMotion($0, rate: rate) }
        if strip == nil { device?.forget(slot: Self.tickerSlot) } else { stale.insert(Self.tickerSlot) }
    }

    func advance(to now: Monotonic) {
        if let software { return software.advance(to: now) }
        ownTicker?.advance()
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

    /// After a failure there is `software`, and `canvas` is to be drawn again.
    private func draw(
        on canvas: borrowing CanvasBuffer,
        end: (GLESCompositor, borrowing CanvasBuffer) throws(DisplayError) -> Void
    ) {
        guard let device else { return }
        do {
            try device.begin()
            drawRegions()
            drawAbove()
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

    private func drawRegions() {
        device?.fill(PixelRectangle(x: 0, y: 0, size: size), premultiplied: SlatePainter.background)
        draw(.video)
        if let fade { device?.drawKept(opacity: 255 - fade.weight) }
    }

    /// The regions of a layer.
    private func draw(_ layer: StageLayer) {
        for tile in ownTiles where tile.region.layer == layer && tile.opacity > 0 { draw(tile) }
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
                do { try slates.draw(slate, on: surface.canvas) } catch { failure = failure ?? "\(error)" }
            }
            device?.draw(
                surface.canvas, isOpaque: true, x: tile.area.x, y: tile.area.y, opacity: tile.opacity, slot: slot,
                isChanged: isStale)
        } else {
            device?.fill(
                tile.area, premultiplied: Self.premultiplied(SlatePainter.background, opacity: tile.opacity))
        }
    }

    private func drawAbove() {
        if let ticker = ownTicker {
            let strip = ticker.strip
            device?.fill(strip.area, premultiplied: strip.band)
            device?.draw(
                strip.canvas, x: ticker.x, y: strip.area.y, in: strip.area, slot: Self.tickerSlot,
                isChanged: stale.remove(Self.tickerSlot) != nil)
        }
        for layer in StageLayer.allCases {
            if layer > .video { draw(layer) }
            for plane in OverlayPlane.allCases where plane.layer == layer { draw(plane) }
        }
    }

    private func draw(_ plane: OverlayPlane) {
        guard let overlay = overlays[plane.rawValue] else { return }
        let slot = Self.slot(of: plane)
        device?.draw(overlay.canvas, x: overlay.x, y: overlay.y, slot: slot, isChanged: stale.remove(slot) != nil)
    }

    /// - Parameter colour: 0xRRGGBB; what is above is not looked at.
    private static func premultiplied(_ colour: UInt32, opacity: Int) -> UInt32 {
        let weight = UInt32(truncatingIfNeeded: max(0, min(255, opacity)))
        func part(_ shift: UInt32) -> UInt32 { ((((colour >> shift) & 0xff) * weight + 127) / 255) << shift }
        return weight << 24 | part(16) | part(8) | part(0)
    }
}

extension PixelRectangle {
    /// Up to four rectangles: what `inner` leaves free of this one.
    fileprivate func beside(_ inner: PixelRectangle, _ body: (PixelRectangle) -> Void) {
        func lend(_ x: Int, _ y: Int, _ right: Int, _ bottom: Int) {
            let size = PixelSize(width: right - x, height: bottom - y)
            if size.width > 0, size.height > 0 { body(PixelRectangle(x: x, y: y, size: size)) }
        }
        lend(x, y, right, inner.y)
        lend(x, inner.y, inner.x, inner.bottom)
        lend(inner.right, inner.y, right, inner.bottom)
        lend(x, inner.bottom, right, bottom)
    }
}
