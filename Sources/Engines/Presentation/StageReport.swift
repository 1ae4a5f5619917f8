// SPDX-License-Identifier: Apache-2.0
import Media
import Time

/// What the stage tells the control plane.
public enum StageReport: Sendable {
    /// The first picture of a session, or of one of its seeks, is on the screen.
    case firstPicture(session: Int, epoch: Int, at: Monotonic)
    /// A picture should be there and is not; pictures are there again. In turn.
    case starved(session: Int)
    case fed(session: Int)
    case slateShown
    case screenshotTaken(Screenshot)
    /// At least once a second while the render loop runs: what feeds the watchdog.
    case alive
    /// A picture could not be drawn; repeats are counted, not reported.
    case drawFailed(String)
}
