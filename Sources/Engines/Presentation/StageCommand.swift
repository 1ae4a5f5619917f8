// SPDX-License-Identifier: Apache-2.0
import Buffers
import Media
import Scene

/// A command to the stage. The render thread executes it between two presents; commands that are posted together take
/// effect in one present. Regions are named; a region that is not in the layout keeps what is bound to it.
public enum StageCommand: Sendable {
    /// A region that is in both layouts keeps its queue and its picture.
    case setLayout(StageLayout, StageTransition)
    /// The region takes its pictures from this queue. Until the first one comes, it shows what it showed before.
    case bind(FrameQueue, region: String)
    /// The session's regions take no more pictures. The last picture stays.
    case unbind(session: Int)
    case showSlate(Slate, region: String)
    /// Each of the two regions goes on with the queue, the picture and the slate of the other.
    case exchange(String, with: String)
    /// nil clears the plane.
    case setOverlay(OverlayPicture?, OverlayPlane)
    /// nil removes the ticker. A ticker that is set again starts from its beginning.
    case setTicker(TickerStrip?)
    /// The logo of the slates whose theme names its file; nil for none.
    case setLogo(Logo?)
    case takeScreenshot(Screenshot)
    /// The card is the last picture: it fills the stage, and no later command changes that. `shown` is signalled when an
    /// output has presented it.
    case goOffAir(Slate, shown: Wakeup)
}
