// SPDX-License-Identifier: Apache-2.0
import Buffers
import Media
import Time

/// A report of the stage.
public enum StageReport: StateMessage {
    /// The first picture of an epoch is on the screen: the session's first, or the first after a seek.
    case firstPicture(session: Int, epoch: Int, at: Monotonic)
    /// The session has had no picture for 500 ms.
    case starved(session: Int)
    /// The session has pictures again, after `starved`.
    case fed(session: Int)
    case slateShown
    case screenshotTaken(Screenshot)
    /// Sent at least once a second while the render loop runs; it feeds the watchdog.
    case alive
    /// A picture could not be drawn. Repeats are counted, not reported.
    case drawFailed(String)
    /// The output does not show what it should. Repeats are counted, not reported.
    case outputFailed(String)
    /// A session's video is composed because the card refuses it a plane; once for each session.
    case planeRefused(session: Int, why: String)
    /// Pictures are copied because the GPU refuses their decoder's memory; once for each change of the reason.
    case importRefused(why: String)
    /// The connector's screen shows another mode than the settings pin; `pin` is nil when that has ended.
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
