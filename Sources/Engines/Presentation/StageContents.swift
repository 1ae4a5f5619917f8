// SPDX-License-Identifier: Apache-2.0
import Buffers
import Scene
import Timelines

/// What the stage shows, independent of its output. When the output changes, the render loop of the new one takes it
/// over from the loop of the old one.
/// - Thread: the render thread.
final class StageContents {
    var layout = StageLayout.fullScreen
    /// The layout's regions, and others that have a queue.
    var regions: [RegionState] = []
    var counters = StageCounters()
    let presentations: PresentationLog
    /// The logo of slates; nil for none.
    private(set) var logo: Logo?
    /// Signalled when the off-air card was presented; nil while the stage is on air.
    var offAir: Wakeup?
    private(set) var overlays: [OverlayPlane: OverlayPicture] = [:]
    private(set) var ticker: TickerStrip?
    /// Whether the overlay is withheld until the picture to which it belongs is shown, by the plane's raw value.
    private var withheld = [Bool](repeating: false, count: OverlayPlane.allCases.count)
    /// The size that the texts were typeset for; nil before the first output.
    private var size: PixelSize?

    init(presentations: PresentationLog = PresentationLog()) { self.presentations = presentations }

    /// Whether an output has shown it.
    var isShown: Bool { size != nil }

    /// The layout's first region; nil if nothing was ever shown in it.
    var main: RegionState? {
        guard let name = layout.regions.first?.name else { return nil }
        return regions.first { $0.name == name }
    }

    func setOverlay(_ picture: OverlayPicture?, _ plane: OverlayPlane) {
        overlays[plane] = picture
        _ = follow(plane)
    }

    /// What is to be seen of the plane.
    subscript(plane: OverlayPlane) -> OverlayPicture? { withheld[plane.rawValue] ? nil : overlays[plane] }

    /// Looks whether the plane's overlay belongs to the picture that the main region shows.
    /// - Returns: whether that has changed.
    func follow(_ plane: OverlayPlane) -> Bool {
        let before = withheld[plane.rawValue]
        let stamp = main?.shownPTS
        withheld[plane.rawValue] = overlays[plane]?.pictures.map { !(stamp.map($0.contains) ?? false) } ?? false
        return withheld[plane.rawValue] != before
    }

    func setTicker(_ strip: TickerStrip?) { ticker = strip }

    func setLogo(_ new: Logo?) {
        logo = new
        for region in regions { region.setLogo(new) }
    }

    /// To be called before a new output shows it. Texts for another size are dropped; their engine typesets them anew.
    func move(to new: PixelSize) {
        if let size, size != new { (overlays, ticker) = ([:], nil) }
        size = new
        for region in regions { region.outputChanged() }
    }
}
