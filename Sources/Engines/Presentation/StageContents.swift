// SPDX-License-Identifier: Apache-2.0
import Scene

/// What the stage shows, independent of its output. When the output changes, the render loop of the new one takes it
/// over from the loop of the old one.
/// - Thread: the render thread.
final class StageContents {
    var layout = StageLayout.fullScreen
    /// The layout's regions, and others that have a queue.
    var regions: [RegionState] = []
    var counters = StageCounters()
    let presentations: PresentationLog
    private(set) var overlays: [OverlayPlane: OverlayPicture] = [:]
    private(set) var ticker: TickerStrip?
    /// The size that the texts were typeset for; nil before the first output.
    private var size: PixelSize?

    init(presentations: PresentationLog = PresentationLog()) { self.presentations = presentations }

    /// Whether an output has shown it.
    var isShown: Bool { size != nil }

    func setOverlay(_ picture: OverlayPicture?, _ plane: OverlayPlane) { overlays[plane] = picture }

    func setTicker(_ strip: TickerStrip?) { ticker = strip }

    /// To be called before a new output shows it. Texts for another size are dropped; their engine typesets them anew.
    func move(to new: PixelSize) {
        if let size, size != new { (overlays, ticker) = ([:], nil) }
        size = new
        for region in regions { region.outputChanged() }
    }
}
