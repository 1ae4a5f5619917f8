// SPDX-License-Identifier: Apache-2.0
import Media
import Time

/// What the stage tells the control plane.
public enum StageReport: Sendable {
    /// A session's first picture is on the screen.
    case firstPicture(session: Int, at: Monotonic)
    case slateShown
    case screenshotTaken(Screenshot)
    /// At least once a second while the render loop runs: what feeds the watchdog.
    case alive
    /// A picture could not be drawn; repeats are counted, not reported.
    case drawFailed(String)
}
