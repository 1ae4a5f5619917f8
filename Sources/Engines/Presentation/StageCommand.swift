// SPDX-License-Identifier: Apache-2.0
import Media
import Scene

/// A command to the stage, carried out by the render thread between two pictures. Commands that are posted together
/// take effect in one present. Regions are given by name; one that is not in the layout keeps what is bound to it.
public enum StageCommand: Sendable {
    /// A region that is in both layouts keeps its queue and its picture.
    case setLayout(StageLayout, StageTransition)
    /// The region takes pictures from this queue. What it shows stays until the first of them.
    case bind(FrameQueue, region: String)
    /// The session's regions take no more pictures; the last one stays.
    case unbind(session: Int)
    case showSlate(Slate, region: String)
    /// Nil empties the plane.
    case setOverlay(OverlayPicture?, OverlayPlane)
    /// Nil removes the ticker. One that is set again starts from its beginning.
    case setTicker(TickerStrip?)
    case takeScreenshot(Screenshot)
}
