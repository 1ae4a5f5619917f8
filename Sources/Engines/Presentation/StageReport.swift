// SPDX-License-Identifier: Apache-2.0
import Buffers
import Media
import Time

/// What the stage tells the control plane.
public enum StageReport: StateMessage {
    /// The first picture of an epoch is on the screen: of the session, when `epoch` is its first, or of a seek.
    case firstPicture(session: Int, epoch: Int, at: Monotonic)
    /// A picture was due for a while and has not come.
    case starved(session: Int)
    /// Pictures come again; only after `starved`.
    case fed(session: Int)
    case slateShown
    case screenshotTaken(Screenshot)
    /// At least once a second while the render loop runs: what feeds the watchdog.
    case alive
    /// A picture could not be drawn; repeats are counted, not reported.
    case drawFailed(String)
    /// Nothing is shown, or not as it should be; repeats are counted, not reported.
    case outputFailed(String)
    /// A session's video is composed that was to have a plane of its own, and why; once for each session.
    case planeRefused(session: Int, why: String)
    /// A picture is copied that was to be drawn from its decoder's memory, and why; once for each reason in turn.
    case importRefused(why: String)
    /// Instead of the mode that the settings pin the connector's screen shows another; of pin nil: no longer.
    case pinPassedOver(connector: String, pin: String?, mode: String)

    /// What a report is about.
    public enum Subject: Hashable, Sendable {
        case firstPicture(session: Int)
        /// Whether a session's pictures come: `starved` and `fed`.
        case supply(session: Int)
        case plane(session: Int)
        case mode(connector: String)
        case slate, screenshot, life, drawing, output, importing
    }

    public var subject: Subject {
        switch self {
        case .firstPicture(let session, _, _): .firstPicture(session: session)
        case .starved(let session), .fed(let session): .supply(session: session)
        case .slateShown: .slate
        case .screenshotTaken: .screenshot
        case .alive: .life
        case .drawFailed: .drawing
        case .outputFailed: .output
        case .planeRefused(let session, _): .plane(session: session)
        case .importRefused: .importing
        case .pinPassedOver(let connector, _, _): .mode(connector: connector)
        }
    }
}
