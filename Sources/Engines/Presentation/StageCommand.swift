// SPDX-License-Identifier: Apache-2.0
import Media
import Scene

/// What the control plane asks of the stage; carried out by the render thread between two pictures, all that are posted
/// together before anything is shown. Regions are named; one that the layout has not now keeps what is bound to it.
public enum StageCommand: Sendable {
    /// A region that both layouts have keeps its queue and its picture.
    case setLayout(StageLayout, StageTransition)
    /// The region takes pictures from this queue from now on. What it shows stays until the first of them.
    case bind(FrameQueue, region: String)
    /// Takes no more pictures; the last one stays.
    case unbind(session: Int)
    case showSlate(Slate, region: String)
    /// Nil: nothing on this plane.
    case setOverlay(OverlayPicture?, OverlayPlane)
    /// Nil: none. One that is set anew begins anew.
    case setTicker(TickerStrip?)
    case takeScreenshot(Screenshot)
}
